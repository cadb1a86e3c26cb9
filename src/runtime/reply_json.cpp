#include "runtime/reply_json.hpp"

namespace toa::runtime {
namespace {

struct Printer {
  std::string& out;

  void operator()(const Output& output) const {
    if (output.value) {
      out += "\"output\":" + output.value->text();
    } else {
      out += "\"nothing\":true";
    }
  }

  void operator()(const Refusal& refusal) const {
    out += "\"error\":{\"code\":";
    json::print_string_to(out, refusal.code);
    if (refusal.cause) out += ",\"cause\":" + json::print(*refusal.cause);
    out += '}';
  }

  void operator()(const Exception& exception) const {
    out += "\"exception\":{\"name\":";
    json::print_string_to(out, exception_name(exception.code));
    out += ",\"code\":" + std::to_string(static_cast<int>(exception.code)) + ",\"message\":";
    json::print_string_to(out, exception.message);
    if (!exception.operation.empty()) {
      out += ",\"operation\":";
      json::print_string_to(out, exception.operation);
    }
    if (exception.cause) out += ",\"cause\":" + json::print(*exception.cause);
    if (!exception.trail.empty())
      out += ",\"trail\":" + json::print(boost::json::value_from(exception.trail));
    out += '}';
  }
};

std::string text_of(const Json& object, std::string_view key) {
  const auto* member = json::find(object, key);
  return member != nullptr && member->is_string() ? std::string(member->get_string()) : "";
}

std::optional<Json> cause_of(const Json& object) {
  const auto* cause = json::find(object, "cause");
  return cause == nullptr ? std::nullopt : std::optional(*cause);
}

Exception read_exception(const Json& value) {
  Exception exception;
  const auto* code = json::find(value, "code");
  if (code != nullptr && code->is_int64()) {
    exception.code = code_of(static_cast<int>(code->get_int64())).value_or(Code::system);
  }
  exception.message = text_of(value, "message");
  exception.operation = text_of(value, "operation");
  exception.cause = cause_of(value);
  if (const auto* trail = json::find(value, "trail"); trail != nullptr && trail->is_array()) {
    for (const auto& hop : trail->get_array()) exception.trail.emplace_back(hop.as_string());
  }
  return exception;
}

}  // namespace

void print_reply_to(std::string& out, const Reply& reply) {
  std::visit(Printer{out}, reply.outcome);
  if (reply.replay == Replay::yes) out += ",\"replayed\":true";
}

Result<Reply> read_reply(const Json& message) {
  Reply reply;
  if (json::find(message, "replayed") != nullptr) reply.replay = Replay::yes;
  if (const auto* output = json::find(message, "output")) {
    reply.outcome = Output{Document::of(*output)};
  } else if (json::find(message, "nothing") != nullptr) {
    reply.outcome = Output{};
  } else if (const auto* error = json::find(message, "error")) {
    reply.outcome = Refusal{text_of(*error, "code"), cause_of(*error)};
  } else if (const auto* exception = json::find(message, "exception")) {
    reply.outcome = read_exception(*exception);
  } else {
    return fail(ErrorKind::broken, "the running application answered what is no reply: " +
                                       text_of(message, "failure"));
  }
  return reply;
}

}  // namespace toa::runtime
