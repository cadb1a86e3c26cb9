#include "gateway/tree/query_rules.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace toa::gateway {
namespace {

using manifest::Scope;
using manifest::Section;
using manifest::Type;

void read_criteria(const Section& declared, QueryRules& rules) {
  const auto stated = declared.text("criteria");
  if (!stated) return;
  std::string_view text = *stated;
  rules.criteria_or = text.starts_with(',');
  if (text.starts_with(',') || text.starts_with(';')) text.remove_prefix(1);
  rules.criteria_open = text.ends_with(';');
  if (rules.criteria_open) text.remove_suffix(1);
  rules.criteria = text;
}

void read_sort(const Section& declared, QueryRules& rules) {
  const auto stated = declared.text("sort");
  if (!stated) return;
  rules.sort_open = stated->ends_with(';');
  rules.sort = split_sort(*stated);
}

std::optional<std::int64_t> whole(const Section& at, std::int64_t least) {
  const auto* number = at.value().if_int64();
  if (number != nullptr && *number >= least) return *number;
  at.report(fmt::format("must be integer of at least {}", least));
  return std::nullopt;
}

void read_range(const Section& range, std::int64_t least, Bound& bound) {
  const auto ends = range.parts();
  if (!range.value().is_array() || ends.size() != 2) {
    range.report("must be [min, max]");
    return;
  }
  const auto min = whole(ends[0], least);
  const auto max = whole(ends[1], least);
  if (!min || !max) return;
  if (*min > *max) range.report("must be [min, max]");
  bound.min = *min;
  bound.max = *max;
}

void read_bound(const Section& declared, std::string_view name, Bound& bound) {
  const auto stated = declared.find(name);
  if (!stated) return;
  const std::int64_t least = bound.min;
  if (!stated->value().is_object()) {
    const auto constant = whole(*stated, least);
    if (constant)
      bound = {.value = *constant, .min = *constant, .max = *constant, .constant = true};
    return;
  }
  stated->refuse_unknown({"value", "range"});
  const auto range = stated->find("range");
  if (range) read_range(*range, least, bound);
  const auto value = stated->find("value");
  const auto number = value ? whole(*value, least) : std::nullopt;
  bound.value = number.value_or(range ? bound.min : bound.value);
  if (number && (*number < bound.min || *number > bound.max)) value->report("is out of its range");
}

void read_projection(const Section& declared, const manifest::Operation* operation,
                     QueryRules& rules) {
  const auto stated = declared.find("projection");
  if (!stated) return;
  rules.projection = declared.texts("projection");
  if (operation != nullptr && operation->type != Type::observation)
    stated->report("is only for observations");
  if (std::ranges::find(*rules.projection, "id") != rules.projection->end())
    stated->report("'id' is always there and is not named");
}

}  // namespace

std::vector<std::string> split_sort(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto part = text.substr(0, text.find(';'));
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  return parts;
}

bool takes_query(const manifest::Operation& operation) {
  return operation.query != manifest::QueryRule::must_not && operation.scope != Scope::none;
}

bool takes_many(const manifest::Operation& operation) {
  return operation.scope == Scope::entries;
}

QueryRules read_query_rules(const Section& declared, const manifest::Operation* operation) {
  QueryRules rules;
  if (!declared.must_be_object()) return rules;
  declared.refuse_unknown(
      {"criteria", "sort", "limit", "omit", "search", "projection", "parameters"});
  read_criteria(declared, rules);
  read_sort(declared, rules);
  read_bound(declared, "limit", rules.limit);
  read_bound(declared, "omit", rules.omit);
  rules.search = declared.flag("search").value_or(false);
  read_projection(declared, operation, rules);
  if (declared.find("parameters")) rules.parameters = declared.texts("parameters");
  return rules;
}

}  // namespace toa::gateway
