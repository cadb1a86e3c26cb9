#include "typegen/component_types.hpp"

#include <fmt/format.h>

#include "typegen/comment.hpp"
#include "typegen/head.hpp"
#include "typegen/names.hpp"
#include "typegen/schema_type.hpp"
#include "typegen/signature.hpp"

namespace toa::typegen {
namespace {

using manifest::Component;
using manifest::Operation;

/// A stored object has what is required and what a new one is given; the rest may be missing.
Json stored_schema(const manifest::Entity& entity) {
  JsonArray required(entity.required.begin(), entity.required.end());
  for (const auto& [name, value] : entity.blank) required.emplace_back(name);
  return JsonObject{{"type", "object"}, {"properties", entity.properties}, {"required", required}};
}

std::string entity_types(const manifest::Entity& entity) {
  return fmt::format(
      "/** A stored object. */\nexport type Entity = {} & System\n\n"
      "/** What a transition is given. */\nexport type State = Entity & Transient\n\n"
      "/** What an assignment fills: what it leaves alone stays as it is. */\n"
      "export type Changeset = Partial<Omit<Entity, Exclude<keyof System, 'DELETED'>>>\n\n"
      "/** What an operation over a stream is given. */\n"
      "export type Stream = AsyncIterable<Part<Entity>>\n\n",
      schema_type(stored_schema(entity)));
}

std::string operation_types(const Operation& operation) {
  const auto name = pascal(operation.endpoint.operation);
  return fmt::format("{}export type {}Input = {}\nexport type {}Output = {}\n\n",
                     comment(operation.description, 0), name, input_type(operation), name,
                     output_type(operation));
}

std::string local_calls(const Component& component) {
  std::string out = "/** The component's own operations. */\nexport interface Local {\n";
  for (const auto& [name, operation] : component.operations) {
    out += comment(operation.description, 2);
    out += fmt::format("  {}: {}\n", property_name(name), signature(component, operation, ""));
  }
  return out + "}\n\n";
}

std::string context_type(const Component& component) {
  std::string own;
  if (component.configuration) {
    const auto* schema = component.configuration->declared.if_object()
                             ? component.configuration->declared.get_object().if_contains("schema")
                             : nullptr;
    own +=
        "  readonly configuration: " + (schema == nullptr ? "unknown" : schema_type(*schema, 2)) +
        "\n";
  }
  if (component.keeps_state)
    own += "  /** Kept by this process alone. */\n  readonly state: Record<string, any>\n";
  if (component.has_stash) own += "  readonly stash: Stash\n";
  return "/** The last argument of the component's functions. */\n"
         "export interface Context extends BaseContext<Remote, Local> {" +
         (own.empty() ? own : "\n" + own) + "}\n";
}

}  // namespace

std::string component_types(const Component& component, const std::string& root) {
  std::string out = head(root + "types/core.d.ts");
  out += fmt::format("import type {{ Remote }} from '{}types/toa.d.ts'\n\n", root);
  if (component.entity) out += entity_types(*component.entity);
  for (const auto& [name, operation] : component.operations) out += operation_types(operation);
  return out + local_calls(component) + context_type(component);
}

}  // namespace toa::typegen
