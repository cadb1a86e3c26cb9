#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "bridge/bridge.hpp"
#include "bridge/node/frame.hpp"
#include "bridge/node/outbox.hpp"

namespace toa::bridge::node {

/// The messages of a worker. Documents are texts that nobody has checked yet.
struct LoadedMessage {
  std::string document;
};

enum class DoneKind { output, error, exception };

struct DoneMessage {
  RunNumber run;
  DoneKind kind = DoneKind::output;
  bool discard = false;
  bool reply_is_state = false;
  bool streamed = false;
  std::optional<std::string> reply;
  std::optional<std::string> state;
  std::optional<std::string> trailers;
};

struct CallMessage {
  RunNumber run;
  CallNumber call;
  Where where = Where::remote;
  std::string endpoint;
  std::string request;
};

struct QueryMessage {
  RunNumber run;
  CallNumber call;
  std::string question;
};

/// Of a reply that is a stream.
struct BeginMessage {
  RunNumber run;
};
struct PartMessage {
  RunNumber run;
  std::string part;
};

/// Of the streamed reply to a call: a part was taken; no more are wanted.
struct MoreMessage {
  RunNumber run;
  CallNumber call;
};
struct CancelMessage {
  RunNumber run;
  CallNumber call;
};

struct LeaveMessage {
  RunNumber run;
};

/// The same, and what it waits to tell depends on a state that is not durable yet.
struct SettleMessage {
  RunNumber run;
};

struct AskMessage {
  AskNumber ask;
  std::string question;
};

struct LogMessage {
  std::optional<std::string> component;
  std::string severity;
  std::string text;
  std::optional<std::string> attributes;
};

struct PongMessage {
  std::uint64_t number = 0;
};

using Incoming = std::variant<LoadedMessage, DoneMessage, CallMessage, QueryMessage, BeginMessage,
                              PartMessage, MoreMessage, CancelMessage, LeaveMessage, SettleMessage,
                              AskMessage, LogMessage, PongMessage>;

/// Reads the messages of one frame. Fails, saying what is wrong, where anything is not as the
/// protocol has it: then the sender cannot be believed any more.
Result<std::vector<Incoming>> read_messages(const FrameView& frame);

}  // namespace toa::bridge::node
