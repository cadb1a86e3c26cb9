#include "gateway/directives/fill.hpp"

namespace toa::gateway {
namespace {

JsonArray without(const JsonArray& names, std::string_view name) {
  JsonArray kept;
  for (const auto& one : names) {
    if (!one.is_string() || std::string_view(one.get_string()) != name) kept.push_back(one);
  }
  return kept;
}

}  // namespace

Verdict fill_input(Exchange& exchange, const std::string& property, Json value) {
  auto* members = exchange.input.members();
  if (members == nullptr) return Refused{400, "input must be object"};
  (*members)[property] = std::move(value);
  exchange.filled.push_back(property);
  return {};
}

void hide_input(JsonObject& entry, std::string_view property) {
  auto* input = entry.if_contains("input");
  auto* schema = input == nullptr ? nullptr : input->if_object();
  if (schema == nullptr) return;
  if (auto* properties = schema->if_contains("properties"); properties && properties->is_object())
    properties->get_object().erase(property);
  auto* required = schema->if_contains("required");
  if (required == nullptr || !required->is_array()) return;
  *required = without(required->get_array(), property);
  if (required->get_array().empty()) schema->erase("required");
}

}  // namespace toa::gateway
