#include "operation/storing.hpp"

#include <fmt/format.h>

#include "operation/router.hpp"
#include "operation/steps/chain.hpp"

namespace toa::operation {

Exception storage_failed(const Error& error) {
  return {.code = Code::system, .message = error.message};
}

Exception reading_failed(const Error& error) {
  if (error.kind != ErrorKind::invalid) return storage_failed(error);
  return {.code = Code::request_contract, .message = error.message};
}

Exception duplicate(const manifest::Component& component, const storage::Clash& clash) {
  return {.code = Code::duplicate,
          .message = component.id.value +
                     ": another object has the values that the unique index '" + clash.index +
                     "' keeps apart"};
}

Task<Exception> id_taken(const World& world, const manifest::Component& component,
                         const EntityId& id, std::string_view otherwise) {
  const auto holder = co_await storage_of(world, component).load(component.id, id);
  if (!holder) co_return storage_failed(holder.error());
  const bool deleted = *holder && (*holder)->deleted;
  co_return Exception{.code = Code::state_concurrency,
                      .message = fmt::format("{} '{}' {}", component.id.value, id.value,
                                             deleted ? "was deleted, and keeps its id" : otherwise),
                      .for_good = deleted};
}

bool is_kept(const manifest::Component& component) {
  return component.entity && !component.entity->storage.empty();
}

storage::Storage& storage_of(const World& world, const manifest::Component& component) {
  return is_kept(component) ? world.storage : world.nowhere;
}

void put(storage::Unit& unit, const World& world, const manifest::Component& component,
         const manifest::Operation& operation, const Call& call, std::vector<Change> changes) {
  const bool keeps = is_kept(component);
  const bool announces = manifest::announces(world.application, component);
  for (auto& change : changes) {
    if (announces) {
      unit.records.push_back({.id = new_identity(world.clock, world.random),
                              .component = component.id,
                              .at = change.after.updated,
                              .change = text_of(change, call.request.input),
                              .trail = trail_beneath(call.trail, operation)});
    }
    if (keeps)
      unit.writes.push_back({component.id, change.before.version, std::move(change.after)});
  }
}

Task<Result<storage::Commit>> store(const World& world, storage::Unit unit) {
  auto records = unit.records;
  auto committed = co_await world.storage.commit(std::move(unit));
  if (!committed || !std::holds_alternative<storage::Stored>(*committed)) co_return committed;
  for (auto& record : records) world.outgoing.stored(std::move(record));
  co_return committed;
}

}  // namespace toa::operation
