#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/named.hpp"
#include "model/exception.hpp"
#include "model/identity.hpp"
#include "model/names.hpp"
#include "model/request.hpp"

namespace toa {

/// A stored change that events are yet to be made of: committed with the change, and there until
/// their messages are (R42).
struct Record {
  /// A new UUIDv7; the identities of its deliveries derive from it (R81).
  Identity id;
  ComponentId component;
  EpochMs at = 0;
  /// JSON text: `{ "origin", "state", "trailers", "input" }` (R46).
  std::string change;
  /// The hops that led to the change, with the operation that made it.
  Trail trail = {};

  friend bool operator==(const Record&, const Record&) = default;
};

/// A message's place in the queue. Given by whoever makes the message, growing; it is the message's
/// key.
using MessageNumber = Named<struct MessageNumberTag, std::int64_t>;

enum class MessageKind { event, task };

/// Something that a component has yet to handle.
struct Message {
  MessageNumber number;
  /// The identity of the call that it makes; kept over every delivery (R78).
  Identity id;
  MessageKind kind = MessageKind::event;
  /// Who handles it.
  ComponentId component;
  /// The label of the event, or the endpoint of the task.
  std::string name;
  /// JSON text: the payload of the event, or the request of the task.
  std::string body;
  /// The hops passed, with `~label` for an event.
  Trail trail = {};
  Readonly readonly = Readonly::no;
  EpochMs made = 0;
  /// Which delivery the next one is, from 1 (R20).
  int attempt = 1;
  /// Not to be delivered before.
  EpochMs due = 0;
  /// The identity that its receiver stated for the call instead, where that was kept.
  std::optional<Identity> stated = {};

  friend bool operator==(const Message&, const Message&) = default;
};

/// Why a delivery failed.
struct Failure {
  Code code = Code::system;
  std::string reason = {};
  std::optional<std::string> cause = {};  // JSON text
  std::string stack = {};

  friend bool operator==(const Failure&, const Failure&) = default;
};

/// A message set aside for an operator (R9). `message.attempt` is the delivery that was its last.
struct ParkedMessage {
  Message message;
  EpochMs at = 0;
  Failure failure;

  friend bool operator==(const ParkedMessage&, const ParkedMessage&) = default;
};

/// The message served is done with: it leaves the queue. One that is not there is none of the
/// unit's business.
struct Acknowledge {
  MessageNumber number;
};

/// The message served failed: its next delivery is `attempt`, at `due`.
struct Retry {
  MessageNumber number;
  int attempt = 1;
  EpochMs due = 0;
};

/// The message served is set aside, with the reason.
struct Park {
  MessageNumber number;
  EpochMs at = 0;
  int attempt = 1;
  Failure failure;
};

/// A parked message goes back to the queue, at attempt 1, under its identity (R35, R36).
struct Return {
  MessageNumber number;
  EpochMs due = 0;
};

/// A parked message is dropped for good.
struct Discard {
  MessageNumber number;
};

/// The message served makes its call under an identity that its receiver stated. While the message
/// is in the queue, no record beneath that one expires either (D6); so this comes before the call.
struct KeepChain {
  MessageNumber number;
  Identity identity;
};

/// What becomes of a message.
using Fate = std::variant<Acknowledge, Retry, Park, Return, Discard, KeepChain>;

}  // namespace toa
