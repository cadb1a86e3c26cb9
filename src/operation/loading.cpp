#include "operation/loading.hpp"

#include "base/hex.hpp"
#include "operation/router.hpp"
#include "operation/steps/select.hpp"
#include "operation/steps/state.hpp"
#include "operation/storing.hpp"

namespace toa::operation {
namespace {

using manifest::Scope;
using manifest::Type;

bool writes(const manifest::Operation& operation) {
  return operation.type == Type::transition || operation.type == Type::assignment;
}

/// `shop.wallets 'w1'`, or what can be said where the query names no object.
std::string selected(const manifest::Component& component, const Query& query) {
  if (query.id) return component.id.value + " '" + query.id->value + "'";
  return component.id.value + ": what the query selects was";
}

Exception not_found(const manifest::Component& component, const Query& query) {
  return {.code = Code::state_not_found, .message = selected(component, query) + " not found"};
}

Exception other_version(const manifest::Component& component, const Object& object,
                        const Query& query) {
  return {.code = Code::state_precondition,
          .message = component.id.value + " '" + object.id.value + "' is at version " +
                     std::to_string(object.version.value) + ", not " +
                     std::to_string(query.version->value)};
}

/// An object that its id alone names is there before it was written, where it is associated; but an
/// assignment has nothing to set properties of until a transition made it (R224, R225).
std::vector<Object> given_by_id(const manifest::Component& component,
                                const manifest::Operation& operation, const Query& query,
                                std::optional<Object> found) {
  if (!found) {
    const bool begins = component.entity->associated && operation.type != Type::assignment;
    if (!begins) return {};
    return {unwritten(*component.entity, *query.id)};
  }
  if (found->deleted && !query.deleted) return {};
  return {std::move(*found)};
}

Given held_against(const manifest::Component& component, const manifest::Operation& operation,
                   const Query& query, std::vector<Object> given) {
  if (given.empty() && writes(operation)) return std::unexpected(not_found(component, query));
  if (!given.empty() && query.version && *query.version != given.front().version)
    return std::unexpected(other_version(component, given.front(), query));
  return given;
}

Task<Given> load_one(const World& world, const manifest::Component& component,
                     const manifest::Operation& operation, const Query& query) {
  auto found = co_await storage_of(world, component).load(component.id, *query.id);
  if (!found) co_return std::unexpected(storage_failed(found.error()));
  co_return given_by_id(component, operation, query, std::move(*found));
}

Task<Given> find(const World& world, const manifest::Component& component,
                 const manifest::Operation& operation, const Query& query) {
  const bool plain = is_by_id_alone(query) && !query.sort && !query.projection;
  if (plain) co_return co_await load_one(world, component, operation, query);
  auto selection = selection_of(*component.entity, query);
  if (!selection) co_return std::unexpected(std::move(selection.error()));
  if (is_by_id_alone(query)) co_return co_await load_one(world, component, operation, query);
  if (operation.scope != Scope::entries) selection->limit = 1;
  if (selection->sample) selection->seed = world.random.next();
  auto found = co_await storage_of(world, component).find(component.id, std::move(*selection));
  if (!found) co_return std::unexpected(reading_failed(found.error()));
  co_return std::move(*found);
}

/// A stream is read while it runs; what cannot be read is refused before.
Given nothing_yet(const manifest::Entity& entity, const std::optional<Query>& query) {
  auto selection = selection_of(entity, query.value_or(Query{}));
  if (!selection) return std::unexpected(std::move(selection.error()));
  return std::vector<Object>{};
}

}  // namespace

bool is_by_id_alone(const Query& query) {
  return query.id && !query.ids && !query.criteria && !query.search && !query.sample;
}

Task<Given> load(const World& world, const manifest::Component& component,
                 const manifest::Operation& operation, const Request& request) {
  const auto& query = request.query;
  if (operation.scope == Scope::none) co_return std::vector<Object>{};
  if (operation.scope == Scope::stream) co_return nothing_yet(*component.entity, query);
  if (!query) {
    if (operation.type != Type::transition) co_return std::vector<Object>{};
    const EntityId id(to_hex(new_uuid7(world.clock, world.random)));
    co_return std::vector<Object>{unwritten(*component.entity, id)};
  }
  auto given = co_await find(world, component, operation, *query);
  if (!given) co_return given;
  co_return held_against(component, operation, *query, std::move(*given));
}

Task<Start> load_accepted(const World& world, const manifest::Component& component,
                          const manifest::Operation& operation, const Query& query) {
  if (query.sort || query.projection) {
    auto selection = selection_of(*component.entity, query);
    if (!selection) co_return Start{std::unexpected(std::move(selection.error()))};
  }
  auto head = co_await storage_of(world, component).head(component.id, *query.id);
  if (!head) co_return Start{std::unexpected(storage_failed(head.error()))};
  auto given = given_by_id(component, operation, query, std::move(head->object));
  co_return Start{held_against(component, operation, query, std::move(given)),
                  std::move(head->made_by)};
}

}  // namespace toa::operation
