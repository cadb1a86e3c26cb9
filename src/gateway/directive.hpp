#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "manifest/section.hpp"

namespace toa::gateway {

struct Exchange;
struct Method;
struct Resource;

/// Why a request is not served: a status, and the sentence that the client reads, or none.
struct Refused {
  int status = 400;
  std::string message = {};
  std::optional<std::chrono::seconds> retry_after = {};
  /// Said in place of the message, as an operation's refusal is (G58).
  std::string code = {};
};
/// Nothing where the request goes on.
using Verdict = std::optional<Refused>;

/// What the directives of one family, or one of them, do to the requests of one method. It lives as
/// long as the tree; the hooks are called on the loop's thread, in this order, and never wait.
class Directive {
 public:
  virtual ~Directive() = default;

  /// Before the body is looked at.
  virtual Verdict admit(Exchange&) { return {}; }
  /// The body is read: changes or refuses the input, before variables of the route go into it.
  virtual Verdict prepare(Exchange&) { return {}; }
  /// The operation answered with an output (200, 201, 204): changes it, or the response.
  virtual Verdict conclude(Exchange&) { return {}; }
  /// The status is final, whatever it is.
  virtual void settle(Exchange&) {}

  /// Whether discovery shows the method to this caller (G165).
  virtual bool shows(const Exchange&) const { return true; }
  /// What discovery says of the method (G160).
  virtual void describe(JsonObject&) const {}
  /// Whether it lets an output through to the client (G129).
  virtual bool opens_output() const { return false; }
  /// Headers of a request that it reads, in lower case: clients of other origins may send them, and
  /// responses vary by them (G88, G153).
  virtual std::vector<std::string> reads() const { return {}; }
};

/// A directive as it is written, somewhere above a method or in it.
struct Stated {
  std::string family;
  std::string name;
  manifest::Section value;
  /// Of the node that it stands at.
  std::string path = {};
  bool in_method = false;
};

/// The method that directives are made for. A family adds to `method.directives`, and may set what
/// else of the method is its own. Neither is where it will be later: an exchange names both.
struct MethodSite {
  const Resource& resource;
  Method& method;
};

/// Knows the directives of one family (`io`, `auth`, …). `make` is called for every method, with
/// those of the family that reach it, outermost first, also where there are none; the family
/// decides what they come to together (G29). What is wrong is reported to the value's section.
class Family {
 public:
  virtual ~Family() = default;
  virtual std::string_view name() const = 0;
  virtual void make(const std::vector<Stated>& stated, MethodSite site) const = 0;
};

/// The nearest of this name.
inline const Stated* nearest(const std::vector<Stated>& stated, std::string_view name) {
  const Stated* found = nullptr;
  for (const auto& one : stated) {
    if (one.name == name) found = &one;
  }
  return found;
}

/// Reports those whose name is none of `known`.
void refuse_unknown(const std::vector<Stated>& stated,
                    std::initializer_list<std::string_view> known);

}  // namespace toa::gateway
