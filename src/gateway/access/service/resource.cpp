#include "gateway/access/service/resource.hpp"

#include "base/assert.hpp"
#include "gateway/access/account.hpp"

namespace toa::gateway {
namespace {

constexpr const char* identity = "identity";

}  // namespace

OwnResource::OwnResource(std::string path) : resource_(std::make_unique<Resource>()) {
  for (const auto& segment : split_path(path)) {
    if (segment.starts_with(':')) resource_->variables.push_back(segment.substr(1));
  }
  resource_->path = std::move(path);
}

std::optional<manifest::Contract> OwnResource::contract_of(const std::optional<Json>& schema) {
  if (!schema) return std::nullopt;
  auto contract = manifest::Contract::compile(*schema);
  require(contract.has_value(), "a schema of our own is none");
  return std::move(*contract);
}

OwnResource& OwnResource::add(Method method) {
  if (!resource_->allow.empty()) resource_->allow += ", ";
  resource_->allow += name(method.verb);
  resource_->methods.push_back(std::move(method));
  return *this;
}

void OwnResource::add_to(Tree& tree) {
  tree.add(std::move(resource_));
}

Admissions self() {
  Admissions who;
  who.alternatives.push_back(id_condition(identity));
  return who;
}

Admissions holders(std::vector<std::string> roles) {
  Admissions who;
  who.alternatives.push_back(role_condition(std::move(roles), Routes::own));
  return who;
}

Admissions self_or(std::vector<std::string> roles) {
  auto who = self();
  who.alternatives.push_back(role_condition(std::move(roles), Routes::own));
  return who;
}

Admissions nobody_known() {
  Admissions who;
  who.alternatives.push_back(anonymous_condition());
  return who;
}

Json object_schema(JsonObject properties, std::vector<std::string> required) {
  JsonObject schema{
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = boost::json::value_from(required);
  return schema;
}

std::string variable_of(const Exchange& exchange, std::string_view name) {
  const auto* variable = exchange.variable(name);
  require(variable != nullptr, "a route of our own lacks its variable");
  return variable->value;
}

std::string identity_in(const Exchange& exchange) {
  return canonical_id(variable_of(exchange, "identity"));
}

std::optional<std::string> text_of(const Exchange& exchange, std::string_view name) {
  const auto* value = json::find(exchange.input.value(), name);
  if (value == nullptr) return std::nullopt;
  return std::string(value->as_string());
}

Verdict answer(Exchange& exchange, int status, Json value) {
  exchange.response.status = status;
  exchange.output.set(std::move(value));
  exchange.withheld = false;
  return {};
}

Verdict answer_nothing(Exchange& exchange) {
  exchange.response.status = 204;
  return {};
}

}  // namespace toa::gateway
