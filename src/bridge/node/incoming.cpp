#include "bridge/node/incoming.hpp"

#include <memory>

#include "base/json.hpp"

namespace toa::bridge::node {
namespace {

/// Thrown and caught in this file only: a frame has dozens of ways to be malformed, and all of them
/// end alike.
struct Malformed {
  std::string what;
};

constexpr std::uint64_t discard_flag = 1;
constexpr std::uint64_t reply_is_state_flag = 2;
constexpr std::uint64_t streamed_flag = 4;

/// Takes the elements of one message in order, and its documents off the body.
class Elements {
 public:
  Elements(const JsonArray& message, std::string_view& body) : message_(message), body_(body) {}

  std::string_view text() {
    const auto* text = next().if_string();
    if (text == nullptr) throw Malformed{"a text was expected"};
    return *text;
  }

  std::uint64_t number() {
    const auto* number = next().if_int64();
    if (number == nullptr || *number < 0) throw Malformed{"a number was expected"};
    return static_cast<std::uint64_t>(*number);
  }

  std::optional<std::string> text_or_null() {
    if (at_ < message_.size() && message_[at_].is_null()) {
      ++at_;
      return std::nullopt;
    }
    return std::string(text());
  }

  std::optional<std::string> document_or_none() {
    const auto* length = next().if_int64();
    if (length == nullptr || *length < -1) throw Malformed{"a document's length was expected"};
    if (*length == -1) return std::nullopt;
    const auto bytes = static_cast<std::size_t>(*length);
    if (bytes > body_.size()) throw Malformed{"a document is longer than the body"};
    const auto text = body_.substr(0, bytes);
    body_.remove_prefix(bytes);
    return std::string(text);
  }

  std::string document() {
    auto text = document_or_none();
    if (!text) throw Malformed{"a document is missing"};
    return std::move(*text);
  }

  void end() const {
    if (at_ != message_.size()) throw Malformed{"a message has too many elements"};
  }

 private:
  const Json& next() {
    if (at_ == message_.size()) throw Malformed{"a message has too few elements"};
    return message_[at_++];
  }

  const JsonArray& message_;
  std::string_view& body_;
  std::size_t at_ = 0;
};

DoneKind done_kind(std::string_view text) {
  if (text == "output") return DoneKind::output;
  if (text == "error") return DoneKind::error;
  if (text == "exception") return DoneKind::exception;
  throw Malformed{"a run cannot end as " + std::string(text)};
}

Where where(std::string_view text) {
  if (text == "remote") return Where::remote;
  if (text == "local") return Where::local;
  throw Malformed{"a call cannot go to " + std::string(text)};
}

DoneMessage done(Elements& in) {
  DoneMessage out;
  out.run = RunNumber(in.number());
  out.kind = done_kind(in.text());
  const auto flags = in.number();
  out.discard = (flags & discard_flag) != 0;
  out.reply_is_state = (flags & reply_is_state_flag) != 0;
  out.streamed = (flags & streamed_flag) != 0;
  out.reply = in.document_or_none();
  out.state = in.document_or_none();
  out.trailers = in.document_or_none();
  if (out.streamed && out.reply) throw Malformed{"a reply that was streamed came twice"};
  return out;
}

CallMessage call(Elements& in) {
  CallMessage out;
  out.run = RunNumber(in.number());
  out.call = CallNumber(in.number());
  out.where = where(in.text());
  out.endpoint = in.text();
  // A call may be made without a request.
  out.request = in.document_or_none().value_or("{}");
  return out;
}

AskMessage ask(Elements& in) {
  AskMessage out;
  out.ask = AskNumber(in.number());
  out.question = in.document();
  return out;
}

QueryMessage query(Elements& in) {
  QueryMessage out;
  out.run = RunNumber(in.number());
  out.call = CallNumber(in.number());
  out.question = in.document();
  return out;
}

PartMessage part(Elements& in) {
  PartMessage out;
  out.run = RunNumber(in.number());
  out.part = in.document();
  return out;
}

/// About the stream that a call of the run's is answered with.
template <class Message>
Message of_call(Elements& in) {
  Message out;
  out.run = RunNumber(in.number());
  out.call = CallNumber(in.number());
  return out;
}

LogMessage log(Elements& in) {
  LogMessage out;
  out.component = in.text_or_null();
  out.severity = in.text();
  out.text = in.text();
  out.attributes = in.document_or_none();
  return out;
}

Incoming read_kind(std::string_view kind, Elements& in) {
  if (kind == "done") return done(in);
  if (kind == "call") return call(in);
  if (kind == "query") return query(in);
  if (kind == "begin") return BeginMessage{RunNumber(in.number())};
  if (kind == "part") return part(in);
  if (kind == "more") return of_call<MoreMessage>(in);
  if (kind == "cancel") return of_call<CancelMessage>(in);
  if (kind == "leave") return LeaveMessage{RunNumber(in.number())};
  if (kind == "settle") return SettleMessage{RunNumber(in.number())};
  if (kind == "ask") return ask(in);
  if (kind == "log") return log(in);
  if (kind == "pong") return PongMessage{in.number()};
  if (kind == "loaded") return LoadedMessage{in.document()};
  throw Malformed{"there is no message '" + std::string(kind.substr(0, 32)) + "'"};
}

std::vector<Incoming> read_all(const JsonArray& head, std::string_view body) {
  std::vector<Incoming> out;
  out.reserve(head.size());
  for (const auto& message : head) {
    const auto* elements = message.if_array();
    if (elements == nullptr) throw Malformed{"a message is no array"};
    Elements in(*elements, body);
    out.push_back(read_kind(in.text(), in));
    in.end();
  }
  if (!body.empty()) throw Malformed{"the body is longer than its documents"};
  return out;
}

}  // namespace

Result<std::vector<Incoming>> read_messages(const FrameView& frame) {
  boost::json::monotonic_resource memory;
  boost::system::error_code ec;
  const auto head = boost::json::parse(frame.head, ec, &memory);
  if (ec) return fail(ErrorKind::invalid, "a frame's head is no JSON: " + ec.message());
  if (!head.is_array()) return fail(ErrorKind::invalid, "a frame's head is no array");
  try {
    return read_all(head.get_array(), frame.body);
  } catch (const Malformed& malformed) {
    return fail(ErrorKind::invalid, "a frame is malformed: " + malformed.what);
  }
}

}  // namespace toa::bridge::node
