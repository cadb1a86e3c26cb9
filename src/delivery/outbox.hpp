#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_set>
#include <vector>

#include "async/scope.hpp"
#include "delivery/surroundings.hpp"

namespace toa::delivery {

/// Makes messages of stored changes.
///
/// Invariants: (1) a record leaves the outbox only in the commit that puts its messages into the
/// queue; (2) events are evaluated from the record, never from what is in memory of the call that
/// made it (R45); (3) a record whose events throw stays, holds up no other, and is tried again
/// every interval until corrected code makes it (R48); (4) what does not fit in hand waits on the
/// disk.
class Outbox {
 public:
  /// Gives `count` numbers for messages, and is told of messages that are in the queue.
  struct Queueing {
    std::function<MessageNumber(std::size_t count)> number;
    std::function<void(std::vector<Message>)> queued;
  };

  Outbox(World& world, Queueing queueing);

  /// Reads what an earlier process left, and goes on with it.
  void start();
  /// A record is durable.
  void stored(Record record);
  /// Returns when what is under way is done with.
  Task<void> close();

  bool idle() const { return in_hand_.empty() && !sweeping_; }

 private:
  void advance();
  Task<void> publish(Record record);
  Task<bool> make_messages(const Record& record);
  Task<std::expected<JsonObject, Exception>> payloads_of(const Record& record);
  Task<void> sweep();
  Task<bool> publish_page(std::vector<Record> page);
  void sweep_later(std::chrono::milliseconds delay);
  void complain(const Record& record, const std::string& why);

  World& world_;
  Queueing queueing_;
  Scope scope_;
  std::deque<Record> waiting_;
  std::unordered_set<Identity> in_hand_;
  std::size_t publishing_ = 0;
  /// There are records on the disk that are not in hand.
  bool more_ = false;
  bool sweeping_ = false;
  bool closing_ = false;
  std::optional<Loop::TimerId> timer_;
};

}  // namespace toa::delivery
