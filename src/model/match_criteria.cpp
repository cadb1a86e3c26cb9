#include "model/match_criteria.hpp"

#include <algorithm>
#include <compare>
#include <span>

#include "base/assert.hpp"

namespace toa {
namespace {

using std::partial_ordering;

/// Unordered where the two are not of one type.
partial_ordering compare(const Json& one, const Json& two) {
  if (one.is_null() && two.is_null()) return partial_ordering::equivalent;
  if (one.is_number() && two.is_number())
    return one.to_number<double>() <=> two.to_number<double>();
  if (one.is_bool() && two.is_bool()) return one.get_bool() <=> two.get_bool();
  if (one.is_string() && two.is_string()) {
    return std::string_view(one.get_string()) <=> std::string_view(two.get_string());
  }
  return partial_ordering::unordered;
}

bool compares(const Condition& condition, const Json& value) {
  const auto equals = [&](const Operand& operand) { return compare(value, operand.value) == 0; };
  const auto order = [&] { return compare(value, condition.operands.front().value); };
  switch (condition.comparison) {
    case Comparison::equal:
    case Comparison::in:
      return std::ranges::any_of(condition.operands, equals);
    case Comparison::unequal:
    case Comparison::out:
      return std::ranges::none_of(condition.operands, equals);
    case Comparison::less:
      return order() < 0;
    case Comparison::at_most:
      return order() <= 0;
    case Comparison::greater:
      return order() > 0;
    case Comparison::at_least:
      return order() >= 0;
  }
  return false;
}

bool meets(const Condition& condition, const Json& value, std::span<const Step> path) {
  if (path.empty()) return compares(condition, value);
  const auto* found = json::find(value, path.front().name);
  const auto rest = path.subspan(1);
  if (found == nullptr) return meets(condition, Json(), rest);
  const auto* items = path.front().list ? found->if_array() : nullptr;
  if (items == nullptr) return meets(condition, *found, rest);
  return std::ranges::any_of(*items,
                             [&](const Json& item) { return meets(condition, item, rest); });
}

bool holds(const Criteria& criteria, const Json& members) {
  const auto part_holds = [&](const Criteria& part) { return holds(part, members); };
  if (const auto* condition = std::get_if<Condition>(&criteria.node)) {
    require(!condition->path.empty(), "criteria are typed before they are matched");
    return meets(*condition, members, condition->path);
  }
  if (const auto* all = std::get_if<Criteria::All>(&criteria.node)) {
    return std::ranges::all_of(all->parts, part_holds);
  }
  return std::ranges::any_of(std::get<Criteria::Any>(criteria.node).parts, part_holds);
}

/// A value as an order sees it: its class, then what it is within the class.
struct Place {
  int rank = 0;
  double number = 0;
  std::string text = {};

  friend auto operator<=>(const Place&, const Place&) = default;
};

Place place_of(const Json& members, std::string_view path) {
  const Json* value = &members;
  while (value != nullptr && !path.empty()) {
    const auto dot = path.find('.');
    value = json::find(*value, path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  if (value == nullptr || value->is_null()) return {};
  if (value->is_number()) return {.rank = 1, .number = value->to_number<double>()};
  if (value->is_bool()) return {.rank = 1, .number = value->get_bool() ? 1.0 : 0.0};
  if (value->is_string()) return {.rank = 2, .text = std::string(value->get_string())};
  return {.rank = 2, .text = json::print(*value)};
}

}  // namespace

Json members_of(const Object& object) {
  auto parsed = json::parse(object.properties);
  require(parsed && parsed->is_object(), "an object is kept as the text of its properties");
  auto& members = parsed->get_object();
  const bool written = object.version.value > 0;
  members["id"] = object.id.value;
  members["VERSION"] = object.version.value;
  members["CREATED"] = written ? Json(object.created) : Json();
  members["UPDATED"] = written ? Json(object.updated) : Json();
  members["DELETED"] = object.deleted ? Json(*object.deleted) : Json();
  members["REGION"] = object.region;
  return *std::move(parsed);
}

bool matches(const Criteria& criteria, const Json& members) {
  return holds(criteria, members);
}

bool comes_before(const std::vector<Sort>& sort, const Json& one, const Json& two) {
  for (const auto& key : sort) {
    const auto order = place_of(one, key.path) <=> place_of(two, key.path);
    if (order != 0) return key.descending ? order > 0 : order < 0;
  }
  return place_of(one, "id") < place_of(two, "id");
}

}  // namespace toa
