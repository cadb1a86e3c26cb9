#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace toa::gateway {

/// Remembers at least the last `most` of what was put or found, and at most twice as many: two
/// generations, of which the older is dropped whole, so that nothing is kept in order.
template <class T>
class FreshCache {
 public:
  explicit FreshCache(std::size_t most) : most_(most) {}

  /// Null where it is not known. Good until the next call.
  const T* find(std::string_view key) {
    if (const auto found = young_.find(key); found != young_.end()) return &found->second;
    const auto found = old_.find(key);
    if (found == old_.end()) return nullptr;
    T value = std::move(found->second);
    old_.erase(found);
    return put(std::string(key), std::move(value));
  }

  const T* put(std::string key, T value) {
    if (young_.size() >= most_) {
      old_ = std::move(young_);
      young_.clear();
    }
    return &young_.insert_or_assign(std::move(key), std::move(value)).first->second;
  }

  void erase(std::string_view key) {
    if (const auto found = young_.find(key); found != young_.end()) young_.erase(found);
    if (const auto found = old_.find(key); found != old_.end()) old_.erase(found);
  }

  std::size_t size() const { return young_.size() + old_.size(); }

 private:
  /// Of their ends alone: of a sealed token that is its tag, and of an id it is random.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      constexpr std::size_t told_apart_by = 32;
      return std::hash<std::string_view>{}(
          text.substr(text.size() - std::min(text.size(), told_apart_by)));
    }
  };
  using Map = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

  std::size_t most_;
  Map young_;
  Map old_;
};

}  // namespace toa::gateway
