#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "async/completion.hpp"
#include "storage/queue.hpp"
#include "storage/storage.hpp"

namespace toa::simulation {

/// A fault planted on purpose, which the simulation has to find.
enum class Mutant {
  none,
  acknowledged_early,     // the acknowledgement is committed before what it acknowledges
  inbox_outside,          // the record of a call is committed after what the call changed
  event_of_lost_attempt,  // an attempt that lost its race announces its change all the same
  identity_unserved,      // calls beneath do not know by which endpoint they were made
  unpinned,               // records of calls expire though a message above them waits (D6)
  retry_passed_over,      // a retry that is due when it is stored is taken for one still in work
  wall_clock,             // messages fall due by the wall clock, which may be set back
  base_by_version,        // a change is accepted on any state that has its base's version
  chained_on_rejected,    // a change is accepted though the one that it builds on was rejected
  reply_unwaited,         // a reply does not wait for the state that it was computed from
  waiter_unbounded,       // a repeat waits for the first however long that takes
  set_dropped_early,      // what is known of a slice is forgotten before its index is complete
  pin_lost,               // a slice is dropped with records that a waiting message keeps
  identity_unasked,       // whether a call is known is asked before its run, and not in the commit
  unsynced,               // the disk says that it synced, and did not
};

struct NamedMutant {
  Mutant mutant;
  std::string_view name;
};
std::span<const NamedMutant> all_mutants();
std::optional<Mutant> mutant_of(std::string_view name);

/// The identity of a call beneath without the serving endpoint, for `identity_unserved`.
Identity identity_unserved(const Identity& parent, std::string_view serving,
                           std::string_view called, Ordinal ordinal);

/// Passes everything on, but for what its mutant gets wrong.
class MutantStorage final : public storage::Storage, public storage::Queue {
 public:
  /// Told of a record that was stored and that nobody waits for.
  using Announce = std::function<void(Record)>;

  MutantStorage(Mutant mutant, storage::Storage& storage, storage::Queue& queue, Loop& loop,
                const Clock& clock, Announce announce)
      : mutant_(mutant),
        storage_(storage),
        queue_(queue),
        loop_(loop),
        clock_(clock),
        announce_(std::move(announce)) {}

  const storage::Capabilities& capabilities() const override { return storage_.capabilities(); }
  Task<Result<void>> prepare(std::vector<storage::Collection> collections) override {
    return storage_.prepare(std::move(collections));
  }
  Task<Result<std::optional<storage::FirstReply>>> recall(std::string endpoint,
                                                          Identity identity) override;
  Task<Result<std::optional<Object>>> load(ComponentId component, EntityId id) override {
    return storage_.load(std::move(component), std::move(id));
  }
  Task<Result<storage::Head>> head(ComponentId component, EntityId id) override;
  Task<Result<std::vector<Object>>> find(ComponentId component, Selection selection) override {
    return storage_.find(std::move(component), std::move(selection));
  }
  Task<Result<std::string>> query(ComponentId component, std::string text,
                                  JsonArray values) override {
    return storage_.query(std::move(component), std::move(text), std::move(values));
  }
  Task<Result<storage::Commit>> commit(storage::Unit unit) override;
  Task<void> close() override { return storage_.close(); }

  Task<Result<std::vector<Record>>> records(std::optional<Identity> after,
                                            std::size_t limit) override {
    return queue_.records(after, limit);
  }
  Task<Result<std::vector<Message>>> due(ComponentId component, storage::Place after, EpochMs now,
                                         std::size_t limit) override;
  Task<Result<std::optional<EpochMs>>> next_due(ComponentId component, EpochMs now) override {
    return queue_.next_due(std::move(component), now);
  }
  Task<Result<MessageNumber>> last_number() override { return queue_.last_number(); }
  Task<Result<std::size_t>> waiting() override { return queue_.waiting(); }
  Task<Result<storage::Backlog>> backlog() override { return queue_.backlog(); }
  Task<Result<std::vector<ParkedMessage>>> parked(storage::ParkedFilter filter, MessageNumber after,
                                                  std::size_t limit) override {
    return queue_.parked(std::move(filter), after, limit);
  }

 private:
  Task<Result<storage::Commit>> acknowledge_early(storage::Unit unit);
  Task<Result<storage::Commit>> remember_apart(storage::Unit unit);
  Task<Result<storage::Commit>> announce_lost(storage::Unit unit);
  Task<Result<storage::Commit>> pass_over(storage::Unit unit);
  Task<Result<storage::Commit>> go_by_version(storage::Unit unit);

  Mutant mutant_;
  storage::Storage& storage_;
  storage::Queue& queue_;
  Loop& loop_;
  const Clock& clock_;
  Announce announce_;
  /// What passes for durable, with what it is in truth.
  std::unordered_map<storage::Acceptance*, storage::Accepted> passed_off_;
  /// Messages that the next read does not see.
  std::unordered_set<std::int64_t> passed_over_;
};

}  // namespace toa::simulation
