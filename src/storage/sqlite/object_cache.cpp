#include "storage/sqlite/object_cache.hpp"

namespace toa::storage::sqlite {

std::size_t ObjectCache::bytes_of(const ObjectKey& key, const Object& object) {
  // The nodes of map and list, and the heads of the strings, as measured roughly.
  constexpr std::size_t overhead = 300;
  return overhead + key.component.size() + 2 * key.id.size() + object.properties.size();
}

const Object* ObjectCache::find(const ObjectKeyView& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  uses_.splice(uses_.begin(), uses_, found->second.use);
  return &found->second.object;
}

void ObjectCache::put(const ComponentId& component, Object object) {
  auto found = entries_.find(ObjectKeyView{component.value, object.id.value});
  if (found == entries_.end()) {
    ObjectKey key{component.value, object.id.value};
    found = entries_.emplace(std::move(key), Entry{std::move(object), {}}).first;
    found->second.use = uses_.insert(uses_.begin(), &found->first);
  } else {
    if (object.version < found->second.object.version) return;
    bytes_ -= bytes_of(found->first, found->second.object);
    found->second.object = std::move(object);
    uses_.splice(uses_.begin(), uses_, found->second.use);
  }
  bytes_ += bytes_of(found->first, found->second.object);
  evict();
}

void ObjectCache::drop(const ObjectKeyView& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  bytes_ -= bytes_of(found->first, found->second.object);
  uses_.erase(found->second.use);
  entries_.erase(found);
}

void ObjectCache::evict() {
  while (bytes_ > bytes_max_) {
    const auto* last = uses_.back();
    drop({last->component, last->id});
  }
}

}  // namespace toa::storage::sqlite
