#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_set>

#include "async/scope.hpp"
#include "delivery/surroundings.hpp"

namespace toa::delivery {

/// The messages of one component: its line.
///
/// Invariants: (1) a message is in hand at most once, so that one process never handles it twice at
/// the same time; (2) it leaves the queue only by a commit, and where none can be made it stays and
/// is delivered again; (3) a message that waits for its next attempt, or is parked, is on the disk
/// only; it holds nobody up (R8, R9); (4) at most `lane_in_hand_max` are in memory, whatever the
/// backlog.
class Lane {
 public:
  Lane(World& world, const manifest::Component& component, std::function<void()> on_idle);

  /// The message is in the queue.
  void queued(Message message);
  /// Messages may be on the disk that are due at `at`.
  void look_at(EpochMs at);
  /// Returns when what is in work is done with.
  Task<void> close();

  bool idle() const { return in_hand_.empty() && !reading_; }

 private:
  using Number = std::int64_t;

  void advance();
  Task<void> read();
  /// How many of the page are new to the hand.
  std::size_t take(std::vector<Message> page);
  void let_go(const Message& message);
  Task<void> deliver(Message message);
  Task<Reply> handle(const Message& message);
  Task<Reply> handle_event(const Message& message);
  Task<Reply> handle_task(const Message& message);
  Task<Reply> serve(const Message& message, std::string endpoint, Request request);
  /// When to look for what is due again, if anything is.
  Task<std::optional<EpochMs>> settle(const Message& message, const Reply& reply);
  void tell(const Message& message, const storage::Fate& fate, const Outcome& outcome);

  World& world_;
  const manifest::Component& component_;
  std::function<void()> on_idle_;
  Scope scope_;
  std::deque<Message> ready_;
  std::unordered_set<Number> in_hand_;
  /// What left the hand while the queue was being read: what was read may still show it.
  std::unordered_set<Number> left_meanwhile_;
  std::size_t working_ = 0;
  /// There may be due messages on the disk that are not in hand.
  bool more_ = false;
  /// The last page held only what was in hand already: others may stand behind it, and are looked
  /// for when something has left.
  bool hidden_ = false;
  bool reading_ = false;
  bool closing_ = false;
  std::optional<EpochMs> look_at_;
  Loop::TimerId timer_ = 0;
};

}  // namespace toa::delivery
