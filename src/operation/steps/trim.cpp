#include "operation/steps/trim.hpp"

namespace toa::operation {
namespace {

Json trimmed(const Json& value, const std::vector<std::string>& names) {
  const auto* members = value.if_object();
  if (members == nullptr) return value;
  JsonObject kept;
  for (const auto& name : names) {
    if (const auto* member = members->if_contains(name)) kept.emplace(name, *member);
  }
  return kept;
}

}  // namespace

Output trim(Output output, const std::vector<std::string>& names) {
  if (!output.value) return output;
  const auto& value = output.value->value();
  if (const auto* items = value.if_array()) {
    JsonArray kept;
    for (const auto& item : *items) kept.push_back(trimmed(item, names));
    return {Document::of(std::move(kept))};
  }
  return {Document::of(trimmed(value, names))};
}

}  // namespace toa::operation
