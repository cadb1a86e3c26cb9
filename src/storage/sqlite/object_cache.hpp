#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "model/names.hpp"
#include "storage/unit.hpp"

namespace toa::storage::sqlite {

/// Names one object of one component.
struct ObjectKey {
  std::string component;
  std::string id;
  friend bool operator==(const ObjectKey&, const ObjectKey&) = default;
};

/// The same without copies, to look up with.
struct ObjectKeyView {
  std::string_view component;
  std::string_view id;
  ObjectKey own() const { return {std::string(component), std::string(id)}; }
};

struct ObjectKeyHash {
  using is_transparent = void;
  std::size_t operator()(const ObjectKeyView& key) const noexcept {
    const std::hash<std::string_view> hash;
    return hash(key.id) * 31 + hash(key.component);
  }
  std::size_t operator()(const ObjectKey& key) const noexcept {
    return (*this)(ObjectKeyView{key.component, key.id});
  }
};

struct ObjectKeyEqual {
  using is_transparent = void;
  static std::pair<std::string_view, std::string_view> parts(const auto& key) {
    return {key.component, key.id};
  }
  bool operator()(const auto& a, const auto& b) const noexcept { return parts(a) == parts(b); }
};

template <class T>
using ByObject = std::unordered_map<ObjectKey, T, ObjectKeyHash, ObjectKeyEqual>;

/// Durable objects, the latest used first, bounded by the bytes that they take. An object never
/// goes back to an older version. Loop thread only.
class ObjectCache {
 public:
  explicit ObjectCache(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  /// Valid until the next `put` or `drop`; nullptr where it is not held.
  const Object* find(const ObjectKeyView& key);
  void put(const ComponentId& component, Object object);
  /// What is held of it is not, or not any more, what is stored.
  void drop(const ObjectKeyView& key);

  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    Object object;
    std::list<const ObjectKey*>::iterator use;
  };

  static std::size_t bytes_of(const ObjectKey& key, const Object& object);
  void evict();

  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  ByObject<Entry> entries_;
  std::list<const ObjectKey*> uses_;
};

}  // namespace toa::storage::sqlite
