#include "operation/steps/ensure.hpp"

#include <algorithm>
#include <array>

#include "operation/steps/merge.hpp"
#include "operation/steps/moment.hpp"
#include "operation/steps/state.hpp"

namespace toa::operation {
namespace {

constexpr std::array<std::string_view, 5> runtimes{"VERSION", "CREATED", "UPDATED", "DELETED",
                                                   "REGION"};

Exception refuse(std::string message) {
  return {.code = Code::request_contract, .message = std::move(message)};
}

/// An id is the caller's to give where the entity says so.
bool may_name(const manifest::Entity& entity) {
  return entity.associated || json::find(entity.properties, "id") != nullptr;
}

bool is_given(const manifest::Entity& entity, std::string_view key) {
  if (key == "id") return may_name(entity);
  return std::ranges::find(runtimes, key) == runtimes.end() &&
         json::find(entity.properties, key) != nullptr;
}

std::optional<Exception> check_id(const Json& id, const Request& request) {
  if (!id.is_string() || id.get_string().empty()) return refuse("entity/id must be string");
  const auto& query = request.query;
  if (query && query->id && query->id->value != std::string_view(id.get_string()))
    return refuse("entity/id must be that of the query");
  return std::nullopt;
}

Criteria equals(std::string_view property, const Json& value) {
  return {Condition{.selector = std::string(property),
                    .comparison = Comparison::equal,
                    .operands = {{.value = value}},
                    .path = {{.name = std::string(property)}}}};
}

bool has_parts(const Json& value) {
  return value.is_object() || value.is_array();
}

}  // namespace

std::optional<Exception> check_entity(const manifest::Operation& operation,
                                      const Request& request) {
  if (!request.entity) return std::nullopt;
  const bool takes =
      operation.type == manifest::Type::effect && operation.scope == manifest::Scope::entry;
  if (takes) return std::nullopt;
  return refuse("'" + operation.label + "' accepts no entity: only an effect over `entry` does");
}

std::expected<JsonObject, Exception> wanted_of(const manifest::Component& component,
                                               const Request& request) {
  const auto& entity = *component.entity;
  auto wanted = request.entity->value().as_object();
  for (const auto& [key, value] : wanted) {
    if (!is_given(entity, key)) {
      return std::unexpected(
          refuse("entity must NOT have additional properties ('" + std::string(key) + "')"));
    }
    if (key == "id") {
      if (auto refused = check_id(value, request)) return std::unexpected(std::move(*refused));
    }
  }
  if (auto why = normalise_moments(entity.moments, wanted))
    return std::unexpected(refuse("entity/" + *why));
  return wanted;
}

Selection selection_like(const JsonObject& wanted) {
  Selection selection;
  std::vector<Criteria> conditions;
  for (const auto& [key, value] : wanted) {
    if (key == "id") {
      selection.ids = {EntityId(std::string(value.as_string()))};
    } else if (!has_parts(value)) {
      conditions.push_back(equals(key, value));
    }
  }
  if (conditions.size() == 1) selection.criteria = std::move(conditions.front());
  if (conditions.size() > 1) selection.criteria = Criteria{Criteria::All{std::move(conditions)}};
  return selection;
}

bool is_like(const Object& object, const JsonObject& wanted) {
  const auto state = state_of(object);
  return std::ranges::all_of(wanted, [&state](const auto& property) {
    const auto* value = json::find(state.value(), property.key());
    return value == nullptr ? property.value().is_null() : *value == property.value();
  });
}

std::expected<Change, Exception> created_like(const manifest::Component& component,
                                              const Request& request, const JsonObject& wanted,
                                              EntityId id, EpochMs now) {
  if (const auto* named = wanted.if_contains("id")) {
    id = EntityId(std::string(named->as_string()));
  } else if (request.query && request.query->id) {
    id = *request.query->id;
  }
  auto before = unwritten(*component.entity, std::move(id));
  const auto blank = state_of(before);
  const Json whole = merge(blank.value().as_object(), wanted);
  auto after = next_object(component, before, whole, now);
  if (!after) return std::unexpected(std::move(after.error()));
  return Change{std::move(before), std::move(*after), {}};
}

}  // namespace toa::operation
