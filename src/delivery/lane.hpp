#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_set>

#include "async/scope.hpp"
#include "delivery/rests.hpp"
#include "delivery/surroundings.hpp"

namespace toa::delivery {

/// The messages of one component: its line.
///
/// Invariants: (1) a message is in hand at most once, so that one process never handles it twice at
/// the same time; (2) it leaves the queue only by a commit; where none can be made it stays in hand
/// and at work, so that nothing is run only because what came before cannot be stored, until the
/// commit is made or the lane closes; (3) a message that waits for its next attempt, or is parked,
/// is on the disk only; it holds nobody up (R8, R9); (4) what is in memory is bounded in number and
/// in bytes, whatever the backlog; (5) what is due and not in hand stands behind `read_to_`, or
/// behind `rewound_` once that is applied; where there may be such, `more_` holds.
class Lane {
 public:
  Lane(World& world, const manifest::Component& component, std::function<void()> on_idle);

  /// The message is about to be put into the queue, and `queued` or `withdrawn` follows. The disk
  /// may show it before the answer to its commit is heard; until then a read passes it over, or it
  /// would be handled from there and once more from here.
  void expected(const Message& message);
  /// The message is in the queue.
  void queued(Message message);
  /// The message was not put into the queue, as far as is known.
  void withdrawn(const Message& message);
  /// Messages may be on the disk, anywhere, that are due by now.
  void look();
  /// From here on nothing more is taken up.
  void stop_taking();
  /// Takes nothing more, and returns when what is in work is done with.
  Task<void> close();

  bool idle() const { return in_hand_.empty() && !reading_; }
  /// How many messages are in memory.
  std::size_t in_hand() const { return in_hand_.size(); }

 private:
  using Number = std::int64_t;
  using Place = storage::Place;

  bool full() const;
  void take(Message message);
  void advance();
  Task<void> read();
  void take_page(std::vector<Message> page);
  /// Reading goes on behind `place` at the latest.
  void rewind(Place place);
  /// At `at`, messages behind `place` may be due.
  void look_at(EpochMs at, Place place);
  void forget(const Message& message);
  void let_go(const Message& message);
  Task<void> deliver(Message message);
  Task<Reply> handle(const Message& message);
  Task<Reply> handle_event(const Message& message);
  Task<Reply> handle_task(const Message& message);
  Task<Reply> serve(const Message& message, std::string endpoint, Request request);
  /// Has what is remembered beneath a stated identity kept for as long as the message may come
  /// again.
  Task<Result<void>> keep_chain(const Message& message, const Identity& stated);
  /// When and where to look for the message again, if it was not done with.
  struct Again {
    EpochMs at = 0;
    Place place;
  };
  Task<std::optional<Again>> settle(const Message& message, const Reply& reply);
  /// False where it cannot be stored in the time that there is.
  Task<bool> store(const Message& message, const storage::Fate& fate);
  void tell(const Message& message, const storage::Fate& fate, const Outcome& outcome);

  World& world_;
  const manifest::Component& component_;
  std::function<void()> on_idle_;
  Scope scope_;
  Rests rests_;
  std::deque<Message> ready_;
  std::unordered_set<Number> in_hand_;
  std::unordered_set<Number> expected_;
  std::size_t bytes_in_hand_ = 0;
  /// What left the hand while the queue was being read: what was read may still show it.
  std::unordered_set<Number> left_meanwhile_;
  std::size_t working_ = 0;
  Place read_to_;
  std::optional<Place> rewound_;
  bool more_ = false;
  bool reading_ = false;
  bool closing_ = false;
  /// The next moment to look, and from where.
  std::optional<Again> later_;
  Loop::TimerId timer_ = 0;
};

}  // namespace toa::delivery
