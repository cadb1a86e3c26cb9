#include "model/criteria.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace toa {
namespace {

constexpr std::array<std::string_view, 8> symbols{
    "==", "!=", "<", "<=", ">", ">=", "=in=", "=out="};

void print_to(std::string& out, const Operand& operand) {
  if (!operand.quoted) {
    out += operand.value.is_string() ? std::string(operand.value.get_string())
                                     : json::print(operand.value);
    return;
  }
  out += '\'';
  for (const char c : operand.value.get_string()) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  out += '\'';
}

void print_to(std::string& out, const Condition& condition) {
  out += condition.selector;
  out += symbol(condition.comparison);
  const bool listed =
      condition.comparison == Comparison::in || condition.comparison == Comparison::out;
  if (listed) out += '(';
  for (std::size_t i = 0; i < condition.operands.size(); ++i) {
    if (i > 0) out += ',';
    print_to(out, condition.operands[i]);
  }
  if (listed) out += ')';
}

void print_to(std::string& out, const Criteria& criteria);

/// A conjunction binds tighter, so only its own kind has to be told from it.
void print_parts(std::string& out, const std::vector<Criteria>& parts, char joint) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += joint;
    const bool all_in_any = joint == ',' && std::holds_alternative<Criteria::All>(parts[i].node);
    const bool grouped = !std::holds_alternative<Condition>(parts[i].node) && !all_in_any;
    if (grouped) out += '(';
    print_to(out, parts[i]);
    if (grouped) out += ')';
  }
}

void print_to(std::string& out, const Criteria& criteria) {
  if (const auto* condition = std::get_if<Condition>(&criteria.node)) {
    print_to(out, *condition);
  } else if (const auto* all = std::get_if<Criteria::All>(&criteria.node)) {
    print_parts(out, all->parts, ';');
  } else {
    print_parts(out, std::get<Criteria::Any>(criteria.node).parts, ',');
  }
}

}  // namespace

std::string_view symbol(Comparison comparison) {
  return symbols.at(static_cast<std::size_t>(std::to_underlying(comparison)));
}

bool operator==(const Criteria::All& one, const Criteria::All& two) {
  return one.parts == two.parts;
}

bool operator==(const Criteria::Any& one, const Criteria::Any& two) {
  return one.parts == two.parts;
}

bool operator==(const Criteria& one, const Criteria& two) {
  return one.node == two.node;
}

std::string print(const Criteria& criteria) {
  std::string out;
  print_to(out, criteria);
  return out;
}

}  // namespace toa
