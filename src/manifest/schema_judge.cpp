#include "manifest/schema_judge.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

#include "manifest/same.hpp"
#include "manifest/utf8.hpp"

namespace toa::manifest {
namespace {

std::uint8_t types_of(const Json& value) {
  using N = SchemaNode;
  switch (value.kind()) {
    case boost::json::kind::null:
      return N::null;
    case boost::json::kind::bool_:
      return N::boolean;
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
      return N::integer | N::number;
    case boost::json::kind::double_: {
      const double number = value.get_double();
      return std::trunc(number) == number ? N::integer | N::number : N::number;
    }
    case boost::json::kind::string:
      return N::string;
    case boost::json::kind::array:
      return N::array;
    case boost::json::kind::object:
      return N::object;
  }
  return 0;
}

// Decimal fractions are not exact as doubles: 0.07 is seven times 0.01 for whoever wrote it.
bool is_multiple(double value, double of) {
  constexpr double exact_integer_max = 9007199254740992.0;
  if (of <= 0) return false;
  const double times = value / of;
  if (std::abs(times) >= exact_integer_max) return std::fmod(value, of) == 0;
  return std::abs(times - std::round(times)) <= 1e-9;
}

}  // namespace

std::optional<std::string> SchemaJudge::misfit(const SchemaNode& schema, const Json& value) {
  const bool good = fits(schema, value, Place{});
  if (good && !exhausted_) return std::nullopt;
  return std::move(misfit_);
}

template <class Words>
bool SchemaJudge::refuse(const Place& place, Words words) {
  if (quiet_ > 0) return false;
  std::string path;
  for (const auto* at = &place; at->outer != nullptr; at = at->outer) {
    const auto step = at->key.data() == nullptr ? std::to_string(at->index) : std::string(at->key);
    path.insert(0, path.empty() ? step : step + "/");
  }
  misfit_ = path + (path.empty() ? "" : " ") + std::string(words());
  return false;
}

// Said also in a quiet check, whose answer would otherwise count as one.
bool SchemaJudge::exhausted(const Place& place) {
  if (exhausted_) return false;
  exhausted_ = true;
  quiet_ = 0;
  return refuse(place,
                [] { return "is too long or too intricate to be checked against its contract"; });
}

bool SchemaJudge::fits_quietly(const SchemaNode& node, const Json& value, const Place& place) {
  const int outer = quiet_++;
  const bool good = fits(node, value, place);
  quiet_ = outer;
  return good;
}

bool SchemaJudge::fits(const SchemaNode& node, const Json& value, const Place& place) {
  if (exhausted_ || steps_left_ == 0) return exhausted(place);
  --steps_left_;
  if (node.refuses_all) return refuse(place, [] { return "must be absent"; });
  if (!type_fits(node, value, place)) return false;
  if (node.format != Format::none && !manifest::fits(node.format, value)) {
    return refuse(place,
                  [&] { return fmt::format("must match format \"{}\"", name(node.format)); });
  }
  if (value.is_number() && !number_fits(node, value.to_number<double>(), place)) return false;
  if (value.is_string() && !string_fits(node, value.get_string(), place)) return false;
  if (!values_fit(node, value, place) || !combinations_fit(node, value, place)) return false;
  if (value.is_array()) return array_fits(node, value.get_array(), place);
  if (value.is_object()) return object_fits(node, value.get_object(), place);
  return true;
}

bool SchemaJudge::type_fits(const SchemaNode& node, const Json& value, const Place& place) {
  if (node.types == 0 || (node.types & types_of(value)) != 0) return true;
  return refuse(place, [&] { return "must be " + node.types_text; });
}

bool SchemaJudge::number_fits(const SchemaNode& node, double value, const Place& place) {
  const auto must = [&](const char* be, const SchemaNode::Bound& bound) {
    return refuse(place, [&] { return fmt::format("must be {} {}", be, bound.text); });
  };
  if (node.maximum && value > node.maximum->value) return must("<=", *node.maximum);
  if (node.minimum && value < node.minimum->value) return must(">=", *node.minimum);
  if (node.below && value >= node.below->value) return must("<", *node.below);
  if (node.above && value <= node.above->value) return must(">", *node.above);
  if (node.multiple_of && !is_multiple(value, node.multiple_of->value)) {
    return must("multiple of", *node.multiple_of);
  }
  return true;
}

bool SchemaJudge::string_fits(const SchemaNode& node, std::string_view value, const Place& place) {
  // Bytes are counted first: characters are never more than they.
  if (node.length_max && value.size() > *node.length_max &&
      character_count(value) > *node.length_max) {
    return refuse(place, [&] {
      return fmt::format("must NOT have more than {} characters", *node.length_max);
    });
  }
  if (node.length_min && character_count(value) < *node.length_min) {
    return refuse(place, [&] {
      return fmt::format("must NOT have fewer than {} characters", *node.length_min);
    });
  }
  if (node.pattern) {
    const auto found = node.pattern->search(value);
    if (found == Pattern::Found::too_costly) return exhausted(place);
    if (found == Pattern::Found::no) {
      return refuse(place, [&] { return "must match pattern \"" + node.pattern->source() + "\""; });
    }
  }
  return true;
}

bool SchemaJudge::values_fit(const SchemaNode& node, const Json& value, const Place& place) {
  if (node.constant != nullptr && !same(*node.constant, value)) {
    return refuse(place, [] { return "must be equal to constant"; });
  }
  const auto is_value = [&](const Json& allowed) { return same(allowed, value); };
  if (node.allowed == nullptr || std::ranges::any_of(*node.allowed, is_value)) return true;
  return refuse(place, [] { return "must be equal to one of the allowed values"; });
}

bool SchemaJudge::combinations_fit(const SchemaNode& node, const Json& value, const Place& place) {
  const auto takes = [&](const SchemaNode* option) { return fits_quietly(*option, value, place); };
  if (node.reference != nullptr && !fits(*node.reference, value, place)) return false;
  if (node.negated != nullptr && takes(node.negated)) {
    return refuse(place, [] { return "must NOT be valid"; });
  }
  if (!node.any.empty() && std::ranges::none_of(node.any, takes)) {
    return refuse(place, [] { return "must match a schema in anyOf"; });
  }
  if (!node.one.empty() && std::ranges::count_if(node.one, takes) != 1) {
    return refuse(place, [] { return "must match exactly one schema in oneOf"; });
  }
  for (const auto* each : node.all) {
    if (!fits(*each, value, place)) return false;
  }
  return node.condition == nullptr || condition_fits(node, value, place);
}

bool SchemaJudge::condition_fits(const SchemaNode& node, const Json& value, const Place& place) {
  const auto* chosen = fits_quietly(*node.condition, value, place) ? node.then : node.otherwise;
  return chosen == nullptr || fits(*chosen, value, place);
}

bool SchemaJudge::array_fits(const SchemaNode& node, const JsonArray& value, const Place& place) {
  if (node.items_max && value.size() > *node.items_max) {
    return refuse(place,
                  [&] { return fmt::format("must NOT have more than {} items", *node.items_max); });
  }
  if (node.items_min && value.size() < *node.items_min) {
    return refuse(
        place, [&] { return fmt::format("must NOT have fewer than {} items", *node.items_min); });
  }
  if (!items_fit(node, value, place)) return false;
  if (node.unique && !all_different(value)) {
    return refuse(place, [] { return "must NOT have duplicate items"; });
  }
  const auto contained = [&](const Json& item) {
    return fits_quietly(*node.contains, item, place);
  };
  if (node.contains != nullptr && std::ranges::none_of(value, contained)) {
    return refuse(place, [] { return "must contain at least 1 valid item(s)"; });
  }
  return true;
}

bool SchemaJudge::items_fit(const SchemaNode& node, const JsonArray& value, const Place& place) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto* after = node.is_tuple ? node.rest : node.items;
    const auto* schema = i < node.tuple.size() ? node.tuple[i] : after;
    if (schema == nullptr) return true;
    if (node.is_tuple && i >= node.tuple.size() && schema->refuses_all) {
      return refuse(place, [&] {
        return fmt::format("must NOT have more than {} items", node.tuple.size());
      });
    }
    if (!fits(*schema, value[i], Place{&place, {}, i})) return false;
  }
  return true;
}

bool SchemaJudge::object_fits(const SchemaNode& node, const JsonObject& value, const Place& place) {
  if (node.members_max && value.size() > *node.members_max) {
    return refuse(place, [&] {
      return fmt::format("must NOT have more than {} properties", *node.members_max);
    });
  }
  if (node.members_min && value.size() < *node.members_min) {
    return refuse(place, [&] {
      return fmt::format("must NOT have fewer than {} properties", *node.members_min);
    });
  }
  for (const auto& name : node.required) {
    if (value.contains(name)) continue;
    return refuse(place, [&] { return fmt::format("must have required property '{}'", name); });
  }
  return dependencies_fit(node, value, place) && members_fit(node, value, place);
}

bool SchemaJudge::dependencies_fit(const SchemaNode& node, const JsonObject& value,
                                   const Place& place) {
  for (const auto& [name, needs] : node.required_with) {
    const auto given = [&](const std::string& need) { return value.contains(need); };
    if (!value.contains(name) || std::ranges::all_of(needs, given)) continue;
    return refuse(place, [&] {
      return fmt::format("must have {} {} when property {} is present",
                         needs.size() == 1 ? "property" : "properties", fmt::join(needs, ", "),
                         name);
    });
  }
  for (const auto& [name, schema] : node.schema_with) {
    if (value.contains(name) && !fits(*schema, Json(value), place)) return false;
  }
  return true;
}

bool SchemaJudge::members_fit(const SchemaNode& node, const JsonObject& value, const Place& place) {
  std::size_t known = 0;
  for (const auto& [name, schema] : node.properties) {
    const auto* member = value.if_contains(name);
    if (member == nullptr) continue;
    ++known;
    if (!fits(*schema, *member, Place{&place, name})) return false;
  }
  // The common case: nothing beyond the declared properties, and so nothing more to ask.
  const bool plain = node.names == nullptr && node.pattern_properties.empty();
  if (plain && (node.additional == nullptr || known == value.size())) return true;
  return other_members_fit(node, value, place);
}

bool SchemaJudge::other_members_fit(const SchemaNode& node, const JsonObject& value,
                                    const Place& place) {
  for (const auto& member : value) {
    const std::string_view key = member.key();
    if (node.names != nullptr && !fits_quietly(*node.names, Json(key), place)) {
      return refuse(place, [&] { return fmt::format("property name must be valid: '{}'", key); });
    }
    bool known = std::ranges::any_of(node.properties, [&](auto& one) { return one.first == key; });
    for (const auto& [pattern, schema] : node.pattern_properties) {
      const auto found = pattern.search(key);
      if (found == Pattern::Found::too_costly) return exhausted(place);
      if (found == Pattern::Found::no) continue;
      known = true;
      if (!fits(*schema, member.value(), Place{&place, key})) return false;
    }
    if (known || node.additional == nullptr) continue;
    if (node.additional->refuses_all) {
      return refuse(place,
                    [&] { return fmt::format("must NOT have additional properties: '{}'", key); });
    }
    if (!fits(*node.additional, member.value(), Place{&place, key})) return false;
  }
  return true;
}

}  // namespace toa::manifest
