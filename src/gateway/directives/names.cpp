#include "gateway/directives/names.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace toa::gateway {

using manifest::Section;

std::optional<std::vector<std::string>> read_names(const Section& value) {
  if (!value.value().is_array()) {
    value.report("must be array of names");
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const auto& item : value.parts()) {
    const auto* text = item.value().if_string();
    if (text == nullptr || text->empty()) {
      item.report("must be string");
      return std::nullopt;
    }
    names.emplace_back(*text);
  }
  return names;
}

std::optional<std::vector<std::string>> read_name_or_names(const Section& value) {
  if (const auto* text = value.value().if_string(); text != nullptr && !text->empty())
    return std::vector{std::string(*text)};
  return read_names(value);
}

std::optional<Pairs> read_name_pairs(const Section& value) {
  if (!value.must_be_object()) return std::nullopt;
  Pairs pairs;
  for (const auto& part : value.parts()) {
    const auto* text = part.value().if_string();
    if (text == nullptr || text->empty()) {
      part.report("must be string");
      return std::nullopt;
    }
    pairs.emplace_back(part.name(), *text);
  }
  return pairs;
}

std::optional<std::int64_t> read_count(const Section& owner, std::string_view name) {
  const auto found = owner.find(name);
  if (!found) {
    owner.report(fmt::format("must have required property '{}'", name));
    return std::nullopt;
  }
  const auto* count = found->value().if_int64();
  if (count != nullptr && *count >= 1) return *count;
  found->report("must be integer of at least 1");
  return std::nullopt;
}

std::vector<std::string> lower_case(const std::vector<std::string>& names) {
  auto lowered = names;
  for (auto& name : lowered) {
    for (auto& c : name) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    }
  }
  return lowered;
}

void keep_only(JsonObject& object, const std::vector<std::string>& names) {
  JsonObject kept;
  for (auto& [name, member] : object) {
    if (std::ranges::find(names, std::string_view(name)) != names.end())
      kept.emplace(name, std::move(member));
  }
  object = std::move(kept);
}

}  // namespace toa::gateway
