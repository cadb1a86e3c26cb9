#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"

namespace toa::bridge {

/// A cache of texts under keys. Invariants: (1) it holds at most `bytes_max`: what was not used for
/// longest goes first; (2) an entry past its time is not there, though it may still take room.
class Stash {
 public:
  using Ttl = std::optional<std::chrono::milliseconds>;
  enum class If { always, absent, present };

  explicit Stash(const Clock& clock, std::size_t bytes_max = limits::stash_bytes_max)
      : clock_(clock), bytes_max_(bytes_max) {}
  Stash(const Stash&) = delete;
  Stash& operator=(const Stash&) = delete;

  std::optional<std::string_view> get(const std::string& key);
  /// Whether it was set. Fails where key or value are larger than it holds.
  Result<bool> set(const std::string& key, std::string value, Ttl ttl, If when);
  bool remove(const std::string& key);
  /// Adds to a whole number, 0 where there is none; its time stays. Fails where the value is none,
  /// or the sum is beyond 2^53.
  Result<std::int64_t> add(const std::string& key, std::int64_t by);
  /// Whether it was there.
  bool expire(const std::string& key, std::chrono::milliseconds ttl);
  /// Milliseconds left; -1 for an entry that stays, -2 where there is none.
  std::int64_t left_ms(const std::string& key);

  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::string key;
    std::string value;
    std::optional<std::chrono::nanoseconds> expires = {};
    std::size_t bytes() const { return key.size() + value.size() + limits::stash_entry_bytes; }
  };
  using Place = std::list<Entry>::iterator;

  Entry* find(const std::string& key);
  void drop(Place place);

  const Clock& clock_;
  const std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  std::list<Entry> entries_;  // the last used first
  std::unordered_map<std::string, Place> places_;
};

}  // namespace toa::bridge
