#include "simulation/mutant.hpp"

#include <algorithm>
#include <array>

namespace toa::simulation {
namespace {

constexpr std::array mutants{
    NamedMutant{Mutant::acknowledged_early, "acknowledged-early"},
    NamedMutant{Mutant::inbox_outside, "inbox-outside"},
    NamedMutant{Mutant::event_of_lost_attempt, "event-of-lost-attempt"},
    NamedMutant{Mutant::identity_unserved, "identity-unserved"},
    NamedMutant{Mutant::unpinned, "unpinned"},
    NamedMutant{Mutant::retry_passed_over, "retry-passed-over"},
    NamedMutant{Mutant::wall_clock, "wall-clock"},
    NamedMutant{Mutant::base_by_version, "base-by-version"},
    NamedMutant{Mutant::chained_on_rejected, "chained-on-rejected"},
    NamedMutant{Mutant::reply_unwaited, "reply-unwaited"},
    NamedMutant{Mutant::waiter_unbounded, "waiter-unbounded"},
    NamedMutant{Mutant::set_dropped_early, "set-dropped-early"},
    NamedMutant{Mutant::pin_lost, "pin-lost"},
    NamedMutant{Mutant::identity_unasked, "identity-unasked"},
    NamedMutant{Mutant::unsynced, "unsynced"},
};

/// Pins go by the first bytes of an identity, which no message shares with this one.
Identity of_no_message(const Identity& identity) {
  auto bytes = identity.bytes();
  bytes[0] ^= 0xff;
  return Identity(bytes);
}

bool is_stored(const Result<storage::Commit>& committed) {
  return committed && std::holds_alternative<storage::Stored>(*committed);
}

}  // namespace

std::span<const NamedMutant> all_mutants() {
  return mutants;
}

std::optional<Mutant> mutant_of(std::string_view name) {
  const auto found = std::ranges::find(mutants, name, &NamedMutant::name);
  return found == mutants.end() ? std::nullopt : std::optional(found->mutant);
}

Identity identity_unserved(const Identity& parent, std::string_view, std::string_view called,
                           Ordinal ordinal) {
  return call_identity(parent, "", called, ordinal);
}

Task<Result<std::optional<storage::FirstReply>>> MutantStorage::recall(std::string endpoint,
                                                                       Identity identity) {
  const auto kept = mutant_ == Mutant::unpinned ? of_no_message(identity) : identity;
  return storage_.recall(std::move(endpoint), kept);
}

Task<Result<storage::Head>> MutantStorage::head(ComponentId component, EntityId id) {
  auto head = co_await storage_.head(std::move(component), std::move(id));
  if (mutant_ != Mutant::reply_unwaited || !head || !head->made_by) co_return head;
  auto durable = std::make_shared<storage::Acceptance>(loop_);
  durable->settle(true);
  passed_off_.emplace(durable.get(), std::exchange(head->made_by, durable));
  co_return head;
}

Task<Result<storage::Commit>> MutantStorage::go_by_version(storage::Unit unit) {
  auto& write = unit.writes.front();
  const auto head = co_await storage_.head(write.component, write.next.id);
  if (head && head->object && head->object->version == write.base) write.on = head->made_by;
  co_return co_await storage_.commit(std::move(unit));
}

Task<Result<storage::Commit>> MutantStorage::commit(storage::Unit unit) {
  if (!unit.writes.empty() && unit.writes.front().on) {
    auto& on = unit.writes.front().on;
    if (const auto found = passed_off_.find(on.get()); found != passed_off_.end())
      on = found->second;
    if (mutant_ == Mutant::chained_on_rejected && on->is_rejected()) on = nullptr;
  }
  if (mutant_ == Mutant::base_by_version && unit.writes.size() == 1)
    return go_by_version(std::move(unit));
  if (mutant_ == Mutant::unpinned && unit.remembered)
    unit.remembered->identity = of_no_message(unit.remembered->identity);
  switch (mutant_) {
    case Mutant::acknowledged_early:
      return acknowledge_early(std::move(unit));
    case Mutant::inbox_outside:
      return remember_apart(std::move(unit));
    case Mutant::event_of_lost_attempt:
      return announce_lost(std::move(unit));
    case Mutant::retry_passed_over:
      return pass_over(std::move(unit));
    default:
      return storage_.commit(std::move(unit));
  }
}

Task<Result<storage::Commit>> MutantStorage::acknowledge_early(storage::Unit unit) {
  if (!unit.fates.empty() && !unit.writes.empty()) {
    storage::Unit acknowledgement{.fates = std::exchange(unit.fates, {})};
    const auto acknowledged = co_await storage_.commit(std::move(acknowledgement));
    if (!acknowledged) co_return acknowledged;
  }
  co_return co_await storage_.commit(std::move(unit));
}

Task<Result<storage::Commit>> MutantStorage::remember_apart(storage::Unit unit) {
  if (!unit.remembered) co_return co_await storage_.commit(std::move(unit));
  storage::Unit record{.remembered = std::exchange(unit.remembered, {})};
  auto committed = co_await storage_.commit(std::move(unit));
  if (!is_stored(committed)) co_return committed;
  co_return co_await storage_.commit(std::move(record));
}

Task<Result<storage::Commit>> MutantStorage::announce_lost(storage::Unit unit) {
  const auto records = unit.records;
  auto committed = co_await storage_.commit(std::move(unit));
  const bool lost = committed && std::holds_alternative<storage::Lost>(*committed);
  if (!lost || records.empty()) co_return committed;
  const auto announced = co_await storage_.commit({.records = records});
  if (is_stored(announced))
    for (const auto& record : records) announce_(record);
  co_return committed;
}

Task<Result<storage::Commit>> MutantStorage::pass_over(storage::Unit unit) {
  const auto fates = unit.fates;
  auto committed = co_await storage_.commit(std::move(unit));
  if (!is_stored(committed)) co_return committed;
  for (const auto& fate : fates) {
    const auto* retry = std::get_if<Retry>(&fate);
    if (retry != nullptr && retry->due <= clock_.now()) passed_over_.insert(retry->number.value);
  }
  co_return committed;
}

Task<Result<std::vector<Message>>> MutantStorage::due(ComponentId component, storage::Place after,
                                                      EpochMs now, std::size_t limit) {
  auto page = co_await queue_.due(std::move(component), after, now, limit);
  if (page)
    std::erase_if(*page, [this](const Message& m) { return passed_over_.erase(m.number.value); });
  co_return page;
}

}  // namespace toa::simulation
