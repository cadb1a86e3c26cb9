#pragma once

#include <list>
#include <optional>
#include <unordered_map>

#include "async/completion.hpp"
#include "async/loop.hpp"
#include "async/task.hpp"
#include "base/limits.hpp"
#include "operation/lineage.hpp"
#include "storage/unit.hpp"

namespace toa::operation {

/// Lets a repeat that finds the first of its identity running wait for it, instead of running only
/// to be refused at the commit (D5, R87). Like a turn it is a courtesy: the record in the commit is
/// what admits one.
///
/// Invariants: (1) a waiter waits 5 s at most (`limits::repeat_wait_max`), and never beneath what
/// it would wait for; (2) where the first leaves a record, all that wait are answered by it; (3)
/// where it leaves none, one of them runs and the others wait for that one.
class Repeats {
 public:
  class Seat;

  /// `longest` is what a waiter waits at most.
  explicit Repeats(Loop& loop, std::chrono::milliseconds longest = limits::repeat_wait_max)
      : loop_(loop), longest_(longest) {}
  ~Repeats();

  /// Waits while the same call is running. The seat says whether to run, or what the first replied.
  Task<Seat> enter(const Lineage& lineage);

 private:
  /// What ends a wait: the first's reply, or a turn to run.
  using Woken = std::optional<storage::FirstReply>;
  struct Running {
    int count = 0;
    // For most calls nobody waits: an empty list takes no memory.
    std::list<Completion<Woken>*> waiting;
  };

  void leave(const CallKey& call, const std::optional<storage::FirstReply>& left);

  Loop& loop_;
  std::chrono::milliseconds longest_;
  std::unordered_map<CallKey, Running> running_;
};

/// The right to run a call; its end lets a waiting repeat go on.
class Repeats::Seat {
 public:
  Seat(Seat&& other) noexcept;
  Seat& operator=(Seat&&) = delete;
  ~Seat();

  /// The first's reply, where it left one while this call waited; then there is nothing to run.
  const std::optional<storage::FirstReply>& first_reply() const { return first_reply_; }
  /// Tells those who wait what this call left.
  void leaves(storage::FirstReply reply) { left_ = std::move(reply); }

 private:
  friend class Repeats;
  Seat(Repeats& repeats, CallKey call) : repeats_(&repeats), call_(std::move(call)) {}
  Seat(CallKey call, storage::FirstReply reply)
      : call_(std::move(call)), first_reply_(std::move(reply)) {}

  Repeats* repeats_ = nullptr;
  CallKey call_;
  std::optional<storage::FirstReply> first_reply_;
  std::optional<storage::FirstReply> left_;
};

}  // namespace toa::operation
