#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace toa {

enum class Comparison { equal, unequal, less, at_most, greater, at_least, in, out };

/// `==`, `=in=`, …
std::string_view symbol(Comparison comparison);

/// What a value is compared with. As parsed: the text as it was meant, escapes undone. Once typed:
/// a text, a number, a boolean, or null for no value.
struct Operand {
  Json value;
  /// In quotes `null` and `undefined` are texts.
  bool quoted = false;

  friend bool operator==(const Operand&, const Operand&) = default;
};

/// One name of a path. In a list the condition asks each item on its own, and holds if one meets
/// it.
struct Step {
  std::string name;
  bool list = false;

  friend bool operator==(const Step&, const Step&) = default;
};

/// `pages>=100`. One operand, but for `in` and `out`, which have one or more.
struct Condition {
  std::string selector;  // dotted, as written
  Comparison comparison = Comparison::equal;
  std::vector<Operand> operands = {};
  /// The selector, step by step. Empty until the criteria are typed.
  std::vector<Step> path = {};

  friend bool operator==(const Condition&, const Condition&) = default;
};

/// Which objects are selected (spec core 6.4): a condition, or at least two parts of which all or
/// any must hold. What a value and a path mean is known only once an entity's schema was asked
/// (`operation/steps/criteria.hpp`).
struct Criteria {
  struct All {
    std::vector<Criteria> parts;
    friend bool operator==(const All&, const All&);
  };
  struct Any {
    std::vector<Criteria> parts;
    friend bool operator==(const Any&, const Any&);
  };
  std::variant<Condition, All, Any> node;

  friend bool operator==(const Criteria&, const Criteria&);
};

/// Reads RSQL. Refused, with the place: what is malformed, and what is longer, deeper or has more
/// conditions than limits.hpp allows.
Result<Criteria> parse_criteria(std::string_view text);

/// What `parse_criteria` reads as these criteria, untyped ones.
std::string print(const Criteria& criteria);

}  // namespace toa
