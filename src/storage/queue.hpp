#pragma once

#include <compare>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "async/task.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "model/message.hpp"

namespace toa::storage {

/// Which parked messages an operator means; empty members mean all.
struct ParkedFilter {
  /// An endpoint, or the label of an event: matches either the operation's or the event's name.
  std::string name;
  std::string component;
  /// A part of the reason.
  std::string reason;
  std::vector<Identity> ids;
};

/// A place in a component's line: what is due first comes first, then what has the lower number.
/// The default is before all messages.
struct Place {
  EpochMs due = std::numeric_limits<EpochMs>::min();
  MessageNumber number = {};

  friend auto operator<=>(const Place&, const Place&) = default;
};

/// What waits, parked messages not counted.
struct Backlog {
  std::map<ComponentId, std::size_t> messages;
  /// Records whose events are not made.
  std::size_t records = 0;
};

/// Reads what units have put into the outbox and the queue. Everything returned is durable; order
/// is by age, and bounded by `limit`, so that no backlog comes into memory at once. Loop thread,
/// like Storage.
class Queue {
 public:
  virtual ~Queue() = default;

  /// Records whose events are not made, in the order of their ids, from the first after `after`.
  virtual Task<Result<std::vector<Record>>> records(std::optional<Identity> after,
                                                    std::size_t limit) = 0;

  /// Messages of a component behind `after` that are not parked and due at `now`, in their places.
  /// Reading on costs as much as reading the first page, whatever the backlog.
  virtual Task<Result<std::vector<Message>>> due(ComponentId component, Place after, EpochMs now,
                                                 std::size_t limit) = 0;

  /// When the next message of a component falls due after `now`.
  virtual Task<Result<std::optional<EpochMs>>> next_due(ComponentId component, EpochMs now) = 0;

  /// No message has had a number above this.
  virtual Task<Result<MessageNumber>> last_number() = 0;

  /// How many messages wait, parked ones not counted.
  virtual Task<Result<std::size_t>> waiting() = 0;

  /// All that waits, counted: takes the longer the more there is.
  virtual Task<Result<Backlog>> backlog() = 0;

  /// Parked messages with a number above `after`, in the order of their numbers.
  virtual Task<Result<std::vector<ParkedMessage>>> parked(ParkedFilter filter, MessageNumber after,
                                                          std::size_t limit) = 0;
};

}  // namespace toa::storage
