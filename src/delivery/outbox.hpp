#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "async/scope.hpp"
#include "delivery/rests.hpp"
#include "delivery/surroundings.hpp"

namespace toa::delivery {

/// Makes messages of stored changes.
///
/// Invariants: (1) a record leaves the outbox only in the commit that puts its messages into the
/// queue; (2) events are evaluated from the record, never from what is in memory of the call that
/// made it (R45); (3) a record whose events throw stays, holds up no other, and is tried again
/// every interval until corrected code makes it (R48), or ever more seldom where trying costs
/// others their workers; (4) what is in memory is bounded in number
/// and in bytes, and for each component; the rest waits on the disk; (5) a record is in hand at
/// most once; (6) while the outbox is swept, what is neither in hand nor held back stands behind
/// `swept_to_`, or another sweep follows.
class Outbox {
 public:
  /// Gives `count` numbers for messages, and is told of messages that are about to be put into the
  /// queue, that are in it, and that came not to be.
  struct Queueing {
    std::function<MessageNumber(std::size_t count)> number;
    std::function<void(const std::vector<Message>&)> expected;
    std::function<void(std::vector<Message>)> queued;
    std::function<void(const std::vector<Message>&)> withdrawn;
  };

  Outbox(World& world, Queueing queueing);

  /// Reads what an earlier process left, and goes on with it.
  void start();
  /// A record is durable.
  void stored(Record record);
  /// From here on nothing more is taken up.
  void stop_taking();
  /// Takes nothing more, and returns when what is under way is done with.
  Task<void> close();

  bool idle() const { return in_hand_.empty() && !sweeping_; }
  /// How many records are in memory.
  std::size_t in_hand() const { return in_hand_.size(); }

 private:
  bool fits(const Record& record) const;
  void take(std::deque<Record>& line, Record record);
  void let_go(const Record& record);
  std::optional<Record> next();
  void advance();
  Task<void> publish(Record record);
  Task<bool> make_messages(const Record& record);
  /// Goes on until it is stored, or no time is left.
  Task<Result<storage::Commit>> store(const Record& record, const std::vector<Message>& messages);
  void hold_back(const Record& guilty);
  bool is_held_back(const Record& record) const;
  Task<std::expected<JsonObject, Exception>> payloads_of(const Record& record);
  void sweep();
  Task<void> read();
  void end_sweep();
  void sweep_now();
  void sweep_later();
  void sweep_in(std::chrono::milliseconds delay);
  void complain(const Record& record, const std::string& why);

  World& world_;
  Queueing queueing_;
  Scope scope_;
  Rests rests_;
  /// Records just stored, and records of a backlog: taken in turns.
  std::deque<Record> fresh_;
  std::deque<Record> left_;
  bool fresh_is_next_ = true;
  std::unordered_set<Identity> in_hand_;
  std::map<ComponentId, std::size_t> in_hand_of_;
  std::size_t bytes_in_hand_ = 0;
  /// What left the hand while the outbox was being read: what was read may still show it.
  std::unordered_set<Identity> left_meanwhile_;
  std::size_t publishing_ = 0;
  /// What ends without a wait asks for the next within `advance`, which is there already.
  bool advancing_ = false;
  std::optional<Identity> swept_to_;
  bool sweeping_ = false;
  /// The sweep has read to the end.
  bool read_out_ = false;
  bool reading_ = false;
  /// There are records on the disk that this sweep may have passed by.
  bool again_ = false;
  /// There are records on the disk that cannot be published as yet.
  bool held_back_ = false;
  /// Records whose events ended their workers, and when they are tried again.
  struct Guilty {
    std::chrono::nanoseconds until{};
    std::chrono::milliseconds pause{};
  };
  std::unordered_map<Identity, Guilty> guilty_;
  /// Whose records were complained of since the last sweep began.
  std::set<ComponentId> complained_;
  bool closing_ = false;
  std::optional<Loop::TimerId> timer_;
};

}  // namespace toa::delivery
