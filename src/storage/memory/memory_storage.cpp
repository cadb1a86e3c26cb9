#include "storage/memory/memory_storage.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "async/next_turn.hpp"
#include "base/assert.hpp"
#include "model/match_criteria.hpp"
#include "storage/shuffle.hpp"

namespace toa::storage {

namespace {

struct Found {
  const Object* object;
  Json members;
};

bool is_selected(const Selection& selection, const Object& object, const Json& members) {
  if (object.deleted && !selection.deleted) return false;
  if (selection.ids && std::ranges::find(*selection.ids, object.id) == selection.ids->end())
    return false;
  return !selection.criteria || matches(*selection.criteria, members);
}

void draw(std::vector<Found>& found, const Selection& selection) {
  std::ranges::sort(found, {}, [&](const Found& one) {
    return shuffled_place(one.object->id.value, selection.seed);
  });
  const auto wanted = static_cast<std::size_t>(*selection.sample);
  if (found.size() > wanted) found.erase(found.begin() + *selection.sample, found.end());
}

/// The part of what is found that `omit` and `limit` leave.
std::vector<Object> page(const std::vector<Found>& found, const Selection& selection) {
  const auto size = static_cast<std::int64_t>(found.size());
  const auto begin = std::min(selection.omit, size);
  const auto end = begin + std::min(selection.limit.value_or(size), size - begin);
  std::vector<Object> objects;
  for (auto i = begin; i < end; ++i) objects.push_back(*found[static_cast<std::size_t>(i)].object);
  return objects;
}

}  // namespace

Task<Result<void>> MemoryStorage::prepare(std::vector<Collection> collections) {
  for (const auto& [component, migrations] : collections)
    if (!migrations.empty())
      co_return fail(ErrorKind::invalid,
                     fmt::format("Component '{}' declares migrations, which storage 'memory' does "
                                 "not apply",
                                 component.value));
  co_return Result<void>();
}

const FirstReply* MemoryStorage::known(const CallKey& key) {
  const auto found = calls_.find(key);
  if (found == calls_.end() || found->second.expires <= time_.now()) return nullptr;
  return &found->second.first;
}

Task<Result<std::optional<FirstReply>>> MemoryStorage::recall(std::string endpoint,
                                                              Identity identity) {
  co_await NextTurn{loop_};
  const auto* first = known({std::move(endpoint), identity});
  if (!first) co_return std::nullopt;
  co_return *first;
}

Task<Result<std::optional<Object>>> MemoryStorage::load(ComponentId component, EntityId id) {
  co_await NextTurn{loop_};
  const auto found = objects_.find({std::move(component), std::move(id)});
  if (found == objects_.end()) co_return std::nullopt;
  co_return found->second;
}

Task<Result<std::vector<Object>>> MemoryStorage::find(ComponentId component, Selection selection) {
  co_await NextTurn{loop_};
  if (selection.search)
    co_return fail(ErrorKind::invalid, "search needs a text index, which this storage has not");
  std::vector<Found> found;
  for (auto at = objects_.lower_bound({component, EntityId()});
       at != objects_.end() && at->first.first == component; ++at) {
    const auto& object = at->second;
    auto members = members_of(object);
    if (is_selected(selection, object, members)) found.emplace_back(&object, std::move(members));
  }
  if (selection.sample) draw(found, selection);
  std::ranges::sort(found, [&](const Found& one, const Found& two) {
    return comes_before(selection.sort, one.members, two.members);
  });
  co_return page(found, selection);
}

Task<Result<std::string>> MemoryStorage::query(ComponentId, std::string, JsonArray) {
  co_return fail(ErrorKind::invalid, "this storage has no language to query in");
}

std::optional<Lost> MemoryStorage::lost(const std::vector<Write>& writes) const {
  // Writes of one unit see each other, as they do in a transaction.
  std::map<ObjectKey, Version> written;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const auto& write = writes[i];
    const auto& next = write.next;
    require(next.version.value == write.base.value + 1, "a write skips a version");
    const ObjectKey key{write.component, next.id};
    auto version = Version(0);
    if (const auto kept = objects_.find(key); kept != objects_.end()) {
      version = kept->second.version;
      if (kept->second.created != next.created) return Lost{i};
    }
    if (const auto earlier = written.find(key); earlier != written.end()) version = earlier->second;
    if (version != write.base) return Lost{i};
    written[key] = next.version;
  }
  return std::nullopt;
}

Task<Result<Commit>> MemoryStorage::commit(Unit unit) {
  auto& record = unit.remembered;
  if (record && !capabilities_.atomic_commit)
    co_return fail(ErrorKind::invalid, "this storage cannot remember calls in one commit");
  co_await NextTurn{loop_};
  if (record)
    if (const auto* first = known({record->endpoint, record->identity})) co_return *first;
  if (const auto race = lost(unit.writes)) co_return *race;
  if (!queue_.holds(unit.published)) co_return Lost{};
  queue_.apply(unit);
  for (auto& write : unit.writes)
    objects_[{write.component, write.next.id}] = std::move(write.next);
  if (record) {
    CallKey key{record->endpoint, record->identity};
    const auto expires = time_.remembers_from() + record->window.count();
    calls_.insert_or_assign(std::move(key), Known{expires, {std::move(record->reply)}});
  }
  co_return Stored{};
}

Task<void> MemoryStorage::close() {
  co_return;
}

}  // namespace toa::storage
