#pragma once

#include <map>
#include <string>
#include <utility>

#include "async/loop.hpp"
#include "base/clock.hpp"
#include "storage/expiry_clock.hpp"
#include "storage/memory/memory_queue.hpp"
#include "storage/storage.hpp"

namespace toa::storage {

/// Keeps everything in memory, for tests. It answers in a later turn of the loop, as storages that
/// go to a disk do.
class MemoryStorage final : public Storage {
 public:
  enum class AtomicCommit { no, yes };

  MemoryStorage(Loop& loop, const Clock& clock, AtomicCommit atomic = AtomicCommit::yes)
      : capabilities_{.name = "memory", .atomic_commit = atomic == AtomicCommit::yes},
        loop_(loop),
        time_(clock, {}),
        queue_(loop) {}

  const Capabilities& capabilities() const override { return capabilities_; }
  Task<Result<void>> prepare(std::vector<Collection> collections) override;
  Task<Result<std::optional<FirstReply>>> recall(std::string endpoint, Identity identity) override;
  Task<Result<std::optional<Object>>> load(ComponentId component, EntityId id) override;
  Task<Result<std::vector<Object>>> find(ComponentId component, Selection selection) override;
  /// `invalid`: there is no language to ask in.
  Task<Result<std::string>> query(ComponentId component, std::string text,
                                  JsonArray values) override;
  /// `invalid` for a unit with a remembered call, where there is no atomic commit.
  Task<Result<Commit>> commit(Unit unit) override;
  Task<void> close() override;

  Queue& queue() { return queue_; }

 private:
  using ObjectKey = std::pair<ComponentId, EntityId>;
  using CallKey = std::pair<std::string, Identity>;

  struct Known {
    EpochMs expires = 0;
    FirstReply first;
  };

  const FirstReply* known(const CallKey& key);
  std::optional<Lost> lost(const std::vector<Write>& writes) const;

  Capabilities capabilities_;
  Loop& loop_;
  ExpiryClock time_;
  std::map<ObjectKey, Object> objects_;
  std::map<CallKey, Known> calls_;
  MemoryQueue queue_;
};

}  // namespace toa::storage
