#include "storage/sqlite/criteria_sql.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "storage/sqlite/place.hpp"

namespace toa::storage::sqlite {
namespace {

// One condition on one value -------------------------------------------------

enum class Kind { none, boolean, number, text };

Kind kind_of(const Json& value) {
  if (value.is_null()) return Kind::none;
  if (value.is_bool()) return Kind::boolean;
  if (value.is_number()) return Kind::number;
  require(value.is_string(), "an operand is a text, a number, a boolean or nothing");
  return Kind::text;
}

bool fits(const Place& place, Kind kind) {
  return !place.type.empty() || kind == Kind::none ||
         kind == (place.text_column ? Kind::text : Kind::number);
}

/// SQLite has no booleans and gives lists and maps as texts: what else has the same value is told
/// by its type.
void add_type(Sql& sql, const Place& place, Kind kind) {
  if (place.type.empty()) return;
  sql += " AND ";
  sql += place.type;
  if (kind == Kind::text) sql += " = 'text'";
  if (kind == Kind::number) sql += " IN ('integer', 'real')";
  if (kind == Kind::boolean) sql += " IN ('true', 'false')";
}

void add_operand(Sql& sql, const Json& value) {
  if (value.is_string()) {
    sql.value(std::string(value.get_string()));
  } else if (value.is_bool()) {
    sql += value.get_bool() ? "1" : "0";
  } else if (value.is_int64()) {
    sql.value(value.get_int64());
  } else {
    sql.number(json::print(value));
  }
}

/// That the value is one of those operands that are of a kind.
bool add_among(Sql& sql, const Place& place, const std::vector<Operand>& operands, Kind kind,
               bool first) {
  std::vector<const Json*> values;
  for (const auto& operand : operands)
    if (kind_of(operand.value) == kind) values.push_back(&operand.value);
  if (values.empty() || !fits(place, kind)) return false;
  if (!first) sql += " OR ";
  sql += "(";
  sql += place.value;
  if (kind == Kind::none) {
    sql += " IS NULL)";
    return true;
  }
  // A list of one is an equality, which indexes serve in the order of the keys that follow.
  sql += values.size() == 1 ? " = " : " IN (";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) sql += ", ";
    add_operand(sql, *values[i]);
  }
  if (values.size() > 1) sql += ")";
  add_type(sql, place, kind);
  sql += ")";
  return true;
}

void add_equality(Sql& sql, const Place& place, const std::vector<Operand>& operands) {
  bool any = false;
  for (const auto kind : {Kind::none, Kind::boolean, Kind::number, Kind::text})
    any = add_among(sql, place, operands, kind, !any) || any;
  if (!any) sql += "0";
}

void add_order(Sql& sql, const Place& place, std::string_view symbol, const Json& operand) {
  const auto kind = kind_of(operand);
  // `null <= null` holds as an equality does; nothing is less than no value.
  if (kind == Kind::none && symbol.ends_with('=')) {
    sql += place.value;
    sql += " IS NULL";
    return;
  }
  if (kind == Kind::none || !fits(place, kind)) {
    sql += "0";
    return;
  }
  sql += place.value;
  sql += fmt::format(" {} ", symbol);
  add_operand(sql, operand);
  add_type(sql, place, kind);
}

void add_comparison(Sql& sql, const Place& place, const Condition& condition) {
  const auto& operands = condition.operands;
  require(!operands.empty(), "a condition has an operand");
  sql += "(";
  switch (condition.comparison) {
    case Comparison::equal:
    case Comparison::in:
      add_equality(sql, place, operands);
      break;
    case Comparison::unequal:
    case Comparison::out:
      sql += "(";
      add_equality(sql, place, operands);
      sql += ") IS NOT TRUE";
      break;
    case Comparison::less:
    case Comparison::at_most:
    case Comparison::greater:
    case Comparison::at_least:
      add_order(sql, place, toa::symbol(condition.comparison), operands.front().value);
      break;
  }
  sql += ")";
}

// Paths through lists --------------------------------------------------------

/// What the rest of a path starts from.
struct Origin {
  std::string json;  // `properties`, or an item that is a map
  Place whole = {};  // the item itself; unused for a row
  std::size_t lists = 0;
};

class ConditionSql {
 public:
  ConditionSql(Sql& sql, const Condition& condition) : sql_(sql), condition_(condition) {}

  Result<void> add(const Origin& origin, std::span<const Step> path) {
    const auto list = std::ranges::find_if(path, &Step::list);
    if (list == path.end()) return add_plain(origin, path);
    const auto until = path.first(static_cast<std::size_t>(list - path.begin()) + 1);
    return add_list(origin, until, path);
  }

 private:
  Result<void> add_plain(const Origin& origin, std::span<const Step> path) {
    if (path.empty()) {
      add_comparison(sql_, origin.whole, condition_);
      return {};
    }
    const auto place = origin.lists == 0 ? place_in_row(path) : place_in(origin.json, path);
    if (!place) return std::unexpected(place.error());
    add_comparison(sql_, *place, condition_);
    return {};
  }

  /// Some item of the list at `until` meets what is left of the path; where there is no list, what
  /// is there does.
  Result<void> add_list(const Origin& origin, std::span<const Step> until,
                        std::span<const Step> path) {
    if (sql_.literal())
      return fail(
          ErrorKind::invalid,
          fmt::format("'{}' leads through a list, which an index cannot do", condition_.selector));
    if (origin.lists == limits::criteria_lists_max)
      return fail(ErrorKind::invalid, fmt::format("'{}' leads through more than {} lists",
                                                  condition_.selector, limits::criteria_lists_max));
    const auto list = json_path(until);
    if (!list) return std::unexpected(list.error());
    sql_ += fmt::format("CASE json_type({}, {}) WHEN 'array' THEN ", origin.json, *list);
    const auto item = fmt::format("item{}", ++items_);
    sql_ += fmt::format("EXISTS (SELECT 1 FROM json_each({}, {}) AS {} WHERE ", origin.json, *list,
                        item);
    const Origin within{
        .json = fmt::format("(CASE {0}.type WHEN 'object' THEN {0}.value END)", item),
        .whole = {.value = item + ".value", .type = item + ".type"},
        .lists = origin.lists + 1};
    if (auto added = add(within, path.subspan(until.size())); !added) return added;
    sql_ += ") ELSE ";
    if (auto added = add_else(origin, until, path); !added) return added;
    sql_ += " END";
    return {};
  }

  Result<void> add_else(const Origin& origin, std::span<const Step> until,
                        std::span<const Step> path) {
    std::vector<Step> as_map(path.begin(), path.end());
    as_map[until.size() - 1].list = false;
    Origin other = origin;
    return add(other, as_map);
  }

  Sql& sql_;
  const Condition& condition_;
  std::size_t items_ = 0;
};

// Parts ----------------------------------------------------------------------

Result<void> add_parts(Sql& sql, const std::vector<Criteria>& parts, std::string_view joint) {
  sql += "(";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) sql += joint;
    if (auto added = add_criteria(sql, parts[i]); !added) return added;
  }
  sql += ")";
  return {};
}

}  // namespace

Result<void> add_criteria(Sql& sql, const Criteria& criteria) {
  if (const auto* condition = std::get_if<Condition>(&criteria.node)) {
    require(!condition->path.empty(), "criteria are typed before they are compiled");
    return ConditionSql(sql, *condition).add({.json = "properties"}, condition->path);
  }
  if (const auto* all = std::get_if<Criteria::All>(&criteria.node))
    return add_parts(sql, all->parts, " AND ");
  return add_parts(sql, std::get<Criteria::Any>(criteria.node).parts, " OR ");
}

}  // namespace toa::storage::sqlite
