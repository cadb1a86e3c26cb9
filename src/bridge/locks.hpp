#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>

namespace toa::bridge {

/// Locks by key, each held by one claim at a time and handed on in the order of asking.
/// Invariants: (1) a claim is granted at most once; (2) whoever is gone holds nothing and waits for
/// nothing.
class Locks {
 public:
  /// Whoever claims; only compared.
  using Owner = const void*;
  using Granted = std::move_only_function<void()>;

  /// `number` is unique among the owner's claims. `granted` is called once the lock is held,
  /// perhaps at once; not where the owner is gone before.
  void claim(const std::string& key, Owner owner, std::uint64_t number, Granted granted);
  /// Gives a lock back, or up. Nothing where there is no such claim.
  void release(const std::string& key, Owner owner, std::uint64_t number);
  /// The owner has ended.
  void gone(Owner owner);

  /// Keys that somebody holds.
  std::size_t held() const { return locks_.size(); }

 private:
  struct Claim {
    Owner owner;
    std::uint64_t number;
    Granted granted;
  };
  /// The first holds it.
  using Line = std::deque<Claim>;

  template <class Leaves>
  void leave(const std::string& key, Leaves leaves);

  std::unordered_map<std::string, Line> locks_;
};

}  // namespace toa::bridge
