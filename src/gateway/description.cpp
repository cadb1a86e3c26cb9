#include "gateway/description.hpp"

#include <algorithm>

#include "gateway/directives/fill.hpp"

namespace toa::gateway {
namespace {

using manifest::Operation;
using manifest::Type;

JsonObject bound(const Bound& stated) {
  return {{"type", "integer"},
          {"minimum", stated.min},
          {"maximum", stated.max},
          {"default", stated.value}};
}

JsonObject selection(const Method& method) {
  const auto& rules = method.query;
  JsonObject selection;
  if (rules.criteria_open) selection["criteria"] = JsonObject{{"type", "string"}};
  if (rules.sort_open) selection["sort"] = JsonObject{{"type", "string"}};
  if (takes_many(*method.operation)) {
    if (!rules.limit.constant) selection["limit"] = bound(rules.limit);
    if (!rules.omit.constant) selection["omit"] = bound(rules.omit);
  }
  if (rules.search) selection["search"] = JsonObject{{"type", "string"}};
  return selection;
}

/// The declared properties, and those that every object has (G114, G162).
JsonObject entity_schema(const manifest::Entity& entity) {
  const JsonObject number{{"type", "integer"}};
  JsonObject properties{{"id", JsonObject{{"type", "string"}}}};
  for (const auto& [name, schema] : entity.properties.get_object()) properties[name] = schema;
  for (const auto* name : {"VERSION", "CREATED", "UPDATED", "REGION"}) properties[name] = number;
  properties["DELETED"] = JsonObject{{"type", JsonArray{"integer", "null"}}};
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

/// What is known of the output: declared, or the entity where the operation answers with it.
std::optional<Json> output(const Method& method) {
  const auto& operation = *method.operation;
  if (operation.output) return operation.output->schema();
  const bool answers_entity = operation.type == Type::transition ||
                              operation.type == Type::observation ||
                              operation.type == Type::assignment;
  if (!answers_entity || !method.component->entity) return std::nullopt;
  auto entity = entity_schema(*method.component->entity);
  if (!takes_many(operation)) return entity;
  return JsonObject{{"type", "array"}, {"items", std::move(entity)}};
}

/// Variables that are input properties stand under `route`, and leave the input (G162, G163).
void move_route_input(const Resource& resource, const Method& method, JsonObject& entry) {
  const bool into_input = method.verb == Verb::post || !takes_query(*method.operation);
  auto* input = entry.if_contains("input");
  auto* schema = input == nullptr ? nullptr : input->if_object();
  auto* found = schema == nullptr ? nullptr : schema->if_contains("properties");
  auto* properties = found == nullptr ? nullptr : found->if_object();
  if (!into_input || properties == nullptr) return;
  JsonObject route;
  for (const auto& name : resource.variables) {
    const auto* property = properties->if_contains(name);
    if (property == nullptr) continue;
    route[name] = *property;
    hide_input(entry, name);
  }
  if (!route.empty()) entry["route"] = std::move(route);
}

void describe_parameters(const Method& method, JsonObject& entry) {
  if (!method.query.parameters || !method.operation->input) return;
  JsonObject query;
  const auto* properties = json::find(method.operation->input->schema(), "properties");
  for (const auto& name : *method.query.parameters) {
    const auto* property = properties == nullptr ? nullptr : json::find(*properties, name);
    query[name] = property == nullptr ? Json(JsonObject{}) : *property;
  }
  if (!query.empty()) entry["query"] = std::move(query);
}

bool is_shown(const Method& method, const Exchange& exchange) {
  if (method.operation == nullptr) return false;
  return std::ranges::all_of(method.directives,
                             [&](const auto& directive) { return directive->shows(exchange); });
}

}  // namespace

JsonObject describe(const Resource& resource, const Method& method) {
  const auto& operation = *method.operation;
  JsonObject entry;
  if (takes_query(operation) && method.verb != Verb::post) {
    if (auto selected = selection(method); !selected.empty())
      entry["selection"] = std::move(selected);
  }
  if (operation.input) entry["input"] = operation.input->schema();
  move_route_input(resource, method, entry);
  describe_parameters(method, entry);
  const auto answered = output(method);
  if (answered) entry["output"] = *answered;
  bool lets_through = false;
  for (const auto& directive : method.directives) {
    directive->describe(entry);
    lets_through = lets_through || directive->opens_output();
  }
  if (!lets_through) entry.erase("output");
  if (!operation.errors.empty()) entry["errors"] = boost::json::value_from(operation.errors);
  if (operation.once_window_s) entry["once"] = true;
  const bool gets = method.verb == Verb::get || method.verb == Verb::head;
  if (gets && !method.readonly) entry["readonly"] = false;
  return entry;
}

std::optional<JsonObject> describe(const Resource& resource, const Exchange& exchange) {
  JsonObject entries;
  for (const auto& method : resource.methods) {
    if (is_shown(method, exchange)) entries[name(method.verb)] = describe(resource, method);
  }
  if (entries.empty()) return std::nullopt;
  return entries;
}

}  // namespace toa::gateway
