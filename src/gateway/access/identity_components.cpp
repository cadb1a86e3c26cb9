#include "gateway/access/identity_components.hpp"

#include "base/assert.hpp"

namespace toa::gateway {
namespace {

using namespace manifest;

constexpr const char* space = "identity";

Contract contract_of(const Json& properties) {
  auto contract = Contract::compile(
      JsonObject{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}});
  require(contract.has_value(), "a schema of our own is none");
  return std::move(*contract);
}

Operation operation(const ComponentId& component, const char* name, Type type) {
  Operation made;
  made.endpoint = {component, name};
  made.label = made.endpoint.str();
  made.type = type;
  made.scope = Scope::entry;
  made.query = QueryRule::must;
  return made;
}

/// Of properties that an object has from the start, with the values that it starts with.
Component component(const char* name, JsonObject properties, JsonObject blank) {
  Component made;
  made.id = ComponentId(std::string(space) + "." + name);
  made.space = space;
  made.name = name;
  auto input = contract_of(properties);
  properties["id"] = {{"type", "string"}, {"pattern", "^[0-9a-fA-F]{32}$"}};
  auto whole = contract_of(properties);
  made.entity = Entity{.properties = std::move(properties),
                       .required = {},
                       .blank = std::move(blank),
                       .associated = true,
                       .storage = "sqlite",
                       .moments = {},
                       .contract = std::move(whole)};
  auto observe = operation(made.id, "observe", Type::observation);
  observe.implementation.inherited = Inherited::observe;
  auto transit = operation(made.id, "transit", Type::transition);
  transit.implementation.inherited = Inherited::transit;
  // A lost race is for the caller to see: it knows what it based its change on.
  transit.concurrency = Concurrency::none;
  transit.input = std::move(input);
  made.operations.emplace("observe", std::move(observe));
  made.operations.emplace("transit", std::move(transit));
  return made;
}

const JsonObject text{{"type", "string"}};
const JsonObject moment{{"type", "integer"}};

Component accounts() {
  return component("accounts",
                   {{"authority", text},
                    {"username", text},
                    {"claim", text},
                    {"password", text},
                    {"roles", {{"type", "array"}}},
                    {"banned", {{"type", "boolean"}}},
                    {"comment", text},
                    {"revised", moment},
                    {"tokens", {{"type", "array"}}}},
                   {{"authority", ""},
                    {"username", ""},
                    {"claim", ""},
                    {"password", ""},
                    {"roles", JsonArray{}},
                    {"banned", false},
                    {"comment", ""},
                    {"revised", 0},
                    {"tokens", JsonArray{}}});
}

Component usernames() {
  return component("usernames",
                   {{"authority", text}, {"username", text}, {"account", text}, {"claim", text}},
                   {{"authority", ""}, {"username", ""}, {"account", ""}, {"claim", ""}});
}

}  // namespace

Result<void> add_identity_components(Application& application) {
  for (const auto& [id, own] : application.components) {
    if (own.space != space) continue;
    return fail(ErrorKind::invalid, own.manifest + ": namespace 'identity' is the gateway's own");
  }
  for (auto made : {accounts(), usernames()})
    application.components.emplace(made.id, std::move(made));
  return {};
}

}  // namespace toa::gateway
