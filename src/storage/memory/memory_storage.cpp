#include "storage/memory/memory_storage.hpp"

#include "base/assert.hpp"
#include "storage/memory/next_turn.hpp"

namespace toa::storage {

Task<Result<void>> MemoryStorage::prepare(std::vector<ComponentId>) {
  co_return Result<void>();
}

const Remembered* MemoryStorage::known(const CallKey& key) {
  const auto found = calls_.find(key);
  if (found == calls_.end() || found->second.expires <= time_.now()) return nullptr;
  return &found->second;
}

Task<Result<std::optional<FirstReply>>> MemoryStorage::recall(std::string endpoint,
                                                              Identity identity) {
  co_await NextTurn{loop_};
  const auto* record = known({std::move(endpoint), identity});
  if (!record) co_return std::nullopt;
  co_return FirstReply{record->reply};
}

Task<Result<std::optional<Object>>> MemoryStorage::load(ComponentId component, EntityId id) {
  co_await NextTurn{loop_};
  const auto found = objects_.find({std::move(component), std::move(id)});
  if (found == objects_.end()) co_return std::nullopt;
  co_return found->second;
}

std::optional<Lost> MemoryStorage::lost(const std::vector<Write>& writes) const {
  // Writes of one unit see each other, as they do in a transaction.
  std::map<ObjectKey, Version> written;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const auto& [component, base, next] = writes[i];
    require(next.version.value == base.value + 1, "a write skips a version");
    const ObjectKey key{component, next.id};
    auto version = Version(0);
    if (const auto kept = objects_.find(key); kept != objects_.end())
      version = kept->second.version;
    if (const auto earlier = written.find(key); earlier != written.end()) version = earlier->second;
    if (version != base) return Lost{i};
    written[key] = next.version;
  }
  return std::nullopt;
}

Task<Result<Commit>> MemoryStorage::commit(Unit unit) {
  auto& record = unit.remembered;
  if (record && !capabilities_.atomic_commit)
    co_return fail(ErrorKind::invalid, "this storage cannot remember calls in one commit");
  // The caller counts from the wall clock; where that is behind, the record still gets its whole
  // window.
  if (record) record->expires = time_.translate(record->expires);
  co_await NextTurn{loop_};
  if (record)
    if (const auto* first = known({record->endpoint, record->identity}))
      co_return FirstReply{first->reply};
  if (const auto race = lost(unit.writes)) co_return *race;
  if (!queue_.holds(unit.published)) co_return Lost{};
  queue_.apply(unit);
  for (auto& write : unit.writes)
    objects_[{write.component, write.next.id}] = std::move(write.next);
  if (record) {
    CallKey key{record->endpoint, record->identity};
    calls_.insert_or_assign(std::move(key), std::move(*record));
  }
  co_return Stored{};
}

Task<void> MemoryStorage::close() {
  co_return;
}

}  // namespace toa::storage
