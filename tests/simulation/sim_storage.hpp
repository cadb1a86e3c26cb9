#pragma once

#include <functional>

#include "simulation/chaos.hpp"
#include "simulation/trace.hpp"
#include "storage/queue.hpp"
#include "storage/storage.hpp"

namespace toa::simulation {

/// A storage whose calls take their time and fail by chance, before they did anything or, where a
/// plan has it, after they did. It puts messages into the queue twice, as brokers do.
class SimStorage final : public storage::Storage, public storage::Queue {
 public:
  struct Told {
    /// A commit was made and answered as failed: what it made is found at the next start.
    std::function<void()> lied;
    /// Messages of the component are in the queue that nobody was told of.
    std::function<void(const ComponentId&)> duplicated;
  };

  SimStorage(storage::Storage& storage, storage::Queue& queue, Loop& loop, Chaos& chaos,
             Trace& trace, Told told)
      : storage_(storage),
        queue_(queue),
        loop_(loop),
        chaos_(chaos),
        trace_(trace),
        told_(std::move(told)) {}

  const storage::Capabilities& capabilities() const override { return storage_.capabilities(); }
  Task<Result<void>> prepare(std::vector<storage::Collection> collections) override;
  Task<Result<std::optional<storage::FirstReply>>> recall(std::string endpoint,
                                                          Identity identity) override;
  Task<Result<std::optional<Object>>> load(ComponentId component, EntityId id) override;
  Task<Result<storage::Head>> head(ComponentId component, EntityId id) override;
  Task<Result<std::vector<Object>>> find(ComponentId component, Selection selection) override;
  Task<Result<std::string>> query(ComponentId component, std::string text,
                                  JsonArray values) override;
  Task<Result<storage::Commit>> commit(storage::Unit unit) override;
  Task<void> close() override;

  Task<Result<std::vector<Record>>> records(std::optional<Identity> after,
                                            std::size_t limit) override;
  Task<Result<std::vector<Message>>> due(ComponentId component, storage::Place after, EpochMs now,
                                         std::size_t limit) override;
  Task<Result<std::optional<EpochMs>>> next_due(ComponentId component, EpochMs now) override;
  Task<Result<MessageNumber>> last_number() override;
  Task<Result<std::size_t>> waiting() override;
  Task<Result<storage::Backlog>> backlog() override { return queue_.backlog(); }
  Task<Result<std::vector<ParkedMessage>>> parked(storage::ParkedFilter filter, MessageNumber after,
                                                  std::size_t limit) override;

 private:
  /// Some time, then the call, then some time; one that fails may fail before or after.
  template <class T>
  Task<Result<T>> disturbed(Task<Result<T>> call);
  Task<void> linger();
  std::vector<ComponentId> duplicate(storage::Unit& unit);

  storage::Storage& storage_;
  storage::Queue& queue_;
  Loop& loop_;
  Chaos& chaos_;
  Trace& trace_;
  Told told_;
};

}  // namespace toa::simulation
