#include "manifest/filter_reader.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace toa::manifest {
namespace {

constexpr std::array<std::pair<std::string_view, Comparison>, 8> comparisons{
    {{"$eq", Comparison::equal},
     {"$ne", Comparison::unequal},
     {"$lt", Comparison::less},
     {"$lte", Comparison::at_most},
     {"$gt", Comparison::greater},
     {"$gte", Comparison::at_least},
     {"$in", Comparison::in},
     {"$nin", Comparison::out}}};

bool is_list(const Json& schema) {
  const auto* type = json::find(schema, "type");
  const auto names = [](const Json& one) { return one == "array"; };
  if (type != nullptr && type->is_array()) return std::ranges::any_of(type->get_array(), names);
  return type != nullptr ? names(*type) : json::find(schema, "items") != nullptr;
}

/// Values that criteria compare with.
bool is_plain(const Json& value) {
  return !value.is_object() && !value.is_array();
}

Criteria joined(std::vector<Criteria> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  return {Criteria::All{std::move(parts)}};
}

class FilterReader {
 public:
  explicit FilterReader(const Entity& entity) : entity_(entity) {}

  /// All members of a map hold together.
  void read(const Section& filter, std::vector<Criteria>& into) const {
    if (!filter.must_be_object()) return;
    for (const auto& part : filter.parts()) {
      if (part.name() == "$and" || part.name() == "$or") {
        add_group(part, into);
      } else if (part.name().starts_with('$')) {
        refuse(part);
      } else {
        add_conditions(part, into);
      }
    }
  }

 private:
  static void refuse(const Section& part) {
    part.report(
        fmt::format("'{}' is not supported: filters know $and, $or, $eq, $ne, $lt, $lte, "
                    "$gt, $gte, $in, $nin and $exists",
                    part.name()));
  }

  void add_group(const Section& group, std::vector<Criteria>& into) const {
    std::vector<Criteria> parts;
    if (!group.value().is_array() || group.value().get_array().empty()) {
      group.report("must be a list of filters");
      return;
    }
    for (const auto& item : group.parts()) {
      std::vector<Criteria> all;
      read(item, all);
      // An empty filter is met by everything: so is `$or` with it, and `$and` does not change.
      if (all.empty() && group.name() == "$or") return;
      if (!all.empty()) parts.push_back(joined(std::move(all)));
    }
    if (parts.size() == 1) {
      into.push_back(std::move(parts.front()));
    } else if (parts.size() > 1 && group.name() == "$or") {
      into.push_back({Criteria::Any{std::move(parts)}});
    } else if (parts.size() > 1) {
      into.push_back({Criteria::All{std::move(parts)}});
    }
  }

  void add_conditions(const Section& part, std::vector<Criteria>& into) const {
    const auto& value = part.value();
    if (is_plain(value)) {
      into.push_back(condition(part, Comparison::equal, {value}));
    } else if (value.is_object() && !value.get_object().empty()) {
      for (const auto& one : part.parts()) add_comparison(part, one, into);
    } else {
      part.report("must be a text, a number, true, false, null, or a map such as { $gt: 1 }");
    }
  }

  void add_comparison(const Section& part, const Section& one, std::vector<Criteria>& into) const {
    if (one.name() == "$exists") {
      if (!one.value().is_bool()) return one.report("must be boolean");
      // Absent and null are the same here: no value.
      const bool exists = one.value().get_bool();
      into.push_back(condition(part, exists ? Comparison::unequal : Comparison::equal, {nullptr}));
      return;
    }
    const auto known = std::ranges::find(comparisons, std::string_view(one.name()),
                                         &std::pair<std::string_view, Comparison>::first);
    if (known == comparisons.end()) return refuse(one);
    const bool listed = known->second == Comparison::in || known->second == Comparison::out;
    auto values = listed && one.value().is_array() ? one.value().get_array() : JsonArray();
    if (!listed) values.push_back(one.value());
    if (values.empty() || !std::ranges::all_of(values, is_plain)) {
      one.report(listed ? "must be a list of texts, numbers, true, false or null"
                        : "must be a text, a number, true, false or null");
      return;
    }
    into.push_back(condition(part, known->second, std::move(values)));
  }

  Criteria condition(const Section& part, Comparison comparison, JsonArray values) const {
    Condition made{.selector = part.name(),
                   .comparison = comparison,
                   .operands = {},
                   .path = steps_to(entity_, part.name())};
    for (auto& value : values) made.operands.push_back({std::move(value)});
    return {std::move(made)};
  }

  const Entity& entity_;
};

}  // namespace

std::vector<Step> steps_to(const Entity& entity, std::string_view path) {
  std::vector<Step> steps;
  const Json* properties = &entity.properties;
  for (std::size_t dot = 0; dot != std::string_view::npos;) {
    dot = path.find('.');
    const auto name = path.substr(0, dot);
    if (dot != std::string_view::npos) path.remove_prefix(dot + 1);
    const auto* schema = properties != nullptr ? json::find(*properties, name) : nullptr;
    const bool list = schema != nullptr && is_list(*schema);
    steps.push_back({std::string(name), list});
    if (list) schema = json::find(*schema, "items");
    properties = schema != nullptr ? json::find(*schema, "properties") : nullptr;
  }
  return steps;
}

std::optional<Criteria> read_filter(const Section& filter, const Entity& entity) {
  std::vector<Criteria> parts;
  FilterReader(entity).read(filter, parts);
  if (parts.empty()) return std::nullopt;
  return joined(std::move(parts));
}

}  // namespace toa::manifest
