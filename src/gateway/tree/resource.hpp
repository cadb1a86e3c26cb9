#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gateway/directive.hpp"
#include "gateway/native.hpp"
#include "gateway/tree/query_rules.hpp"
#include "gateway/tree/verb.hpp"
#include "manifest/application.hpp"

namespace toa::gateway {

/// A method of a resource, with everything that reaches it worked out.
struct Method {
  Verb verb = Verb::get;
  /// `<namespace>.<name>.<operation>`; empty where a directive serves it alone (G21).
  std::string endpoint;
  const manifest::Operation* operation = nullptr;
  const manifest::Component* component = nullptr;
  QueryRules query;
  std::vector<std::unique_ptr<Directive>> directives;
  /// The call and everything beneath it may only read (G51, G52).
  bool readonly = false;
  /// What answers where there is no operation.
  std::unique_ptr<Native> native = {};
  /// The input property that takes the body as it is, whatever its type (G145).
  std::optional<std::string> buffer;
  /// What is said of the whole resource: `title`, `description`.
  JsonObject node_help;
  /// Headers that its directives read, for `vary`.
  std::vector<std::string> reads;
};

/// What a path leads to.
struct Resource {
  /// `/garden/beds/:id`, as it was declared, without a trailing slash.
  std::string path;
  std::vector<std::string> variables;
  std::vector<Method> methods;
  /// Where it is forwarded to: the segments of a path, those of variables with their colon (G38).
  std::vector<std::string> forward;
  /// `GET, PUT`.
  std::string allow;

  /// A HEAD is served by GET where it is not declared itself (G22).
  const Method* find(Verb verb) const;
};

}  // namespace toa::gateway
