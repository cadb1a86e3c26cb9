#include "bridge/node/outbox.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/limits.hpp"

namespace toa::bridge::node {
namespace {

// Heads are small; this is what one message with its numbers may add.
constexpr std::size_t head_bytes_max = 256;

constexpr int readonly_flag = 1;
constexpr int early_flag = 2;

const std::string* text_of(const std::optional<Document>& document) {
  return document ? &document->text() : nullptr;
}

std::size_t size_of(const std::optional<Document>& document) {
  return document ? document->text().size() : 0;
}

std::int64_t length(const std::string* text) {
  return text == nullptr ? -1 : static_cast<std::int64_t>(text->size());
}

Answer failed(const Exception& exception) {
  JsonObject out{{"name", exception_name(exception.code)},
                 {"message", exception.message},
                 {"code", static_cast<int>(exception.code)}};
  if (!exception.operation.empty()) out["operation"] = exception.operation;
  if (exception.cause) out["cause"] = *exception.cause;
  if (!exception.trail.empty())
    out["trail"] = JsonArray(exception.trail.begin(), exception.trail.end());
  return {"exception", Document::of(std::move(out))};
}

Answer refused(const Refusal& refusal) {
  JsonObject out{{"code", refusal.code}};
  if (refusal.cause) out["cause"] = *refusal.cause;
  return {"error", Document::of(std::move(out))};
}

}  // namespace

Answer answer_of(const Outcome& outcome) {
  if (const auto* exception = std::get_if<Exception>(&outcome)) return failed(*exception);
  if (const auto* refusal = std::get_if<Refusal>(&outcome)) return refused(*refusal);
  const auto& output = std::get<Output>(outcome);
  if (size_of(output.value) + head_bytes_max > limits::bridge_frame_bytes_max) {
    return failed({.message = "the reply is larger than a worker can be given"});
  }
  return {"output", output.value};
}

bool fits_frame(const Run& run) {
  return size_of(run.input) + size_of(run.state) + head_bytes_max <= limits::bridge_frame_bytes_max;
}

void Outbox::load(std::string_view application) {
  const std::string text(application);
  add(fmt::format(R"(["load",{}])", text.size()), {&text});
}

void Outbox::run(RunNumber number, const Run& run) {
  const auto* input = text_of(run.input);
  const auto* state = text_of(run.state);
  const int flags =
      (run.readonly == Readonly::yes ? readonly_flag : 0) + (run.early ? early_flag : 0);
  add(fmt::format(R"(["run",{},{},{},{},{}])", number.value, run.operation.value, length(input),
                  length(state), flags),
      {input, state});
}

void Outbox::settled(RunNumber run, const std::optional<Exception>& why_not) {
  const auto answer = why_not ? failed(*why_not).document : std::nullopt;
  const auto* text = text_of(answer);
  add(fmt::format(R"(["settled",{},{}])", run.value, length(text)), {text});
}

void Outbox::answer(RunNumber run, CallNumber call, const Answer& answer) {
  const auto* text = text_of(answer.document);
  add(fmt::format(R"(["answer",{},{},"{}",{}])", run.value, call.value, answer.kind, length(text)),
      {text});
}

void Outbox::told(AskNumber ask, const Answer& answer) {
  const auto* text = text_of(answer.document);
  add(fmt::format(R"(["told",{},"{}",{}])", ask.value, answer.kind, length(text)), {text});
}

void Outbox::begin(RunNumber run, CallNumber call) {
  add(fmt::format(R"(["begin",{},{}])", run.value, call.value), {});
}

void Outbox::part(RunNumber run, CallNumber call, const Document& part) {
  const auto& text = part.text();
  add(fmt::format(R"(["part",{},{},{}])", run.value, call.value, text.size()), {&text});
}

void Outbox::more(RunNumber run) {
  add(fmt::format(R"(["more",{}])", run.value), {});
}

void Outbox::cancel(RunNumber run) {
  add(fmt::format(R"(["cancel",{}])", run.value), {});
}

void Outbox::ping(std::uint64_t number) {
  add(fmt::format(R"(["ping",{}])", number), {});
}

void Outbox::stop() {
  add(R"(["stop"])", {});
}

void Outbox::add(std::string head, std::initializer_list<const std::string*> documents) {
  std::size_t size = 0;
  for (const auto* text : documents) size += text == nullptr ? 0 : text->size();
  auto& frame = frame_for(size);
  frame.head += frame.head.empty() ? '[' : ',';
  frame.head += head;
  for (const auto* text : documents) {
    if (text != nullptr) frame.body += *text;
  }
  bytes_ += head.size() + 1 + size;
}

Outbox::Frame& Outbox::frame_for(std::size_t document_bytes) {
  const auto needed = document_bytes + head_bytes_max;
  require(needed <= limits::bridge_frame_bytes_max, "a message is larger than a frame");
  if (frames_.empty() || frames_.back().head.size() + frames_.back().body.size() + needed >
                             limits::bridge_frame_bytes_max) {
    frames_.emplace_back();
  }
  return frames_.back();
}

Outbox::Frame Outbox::take() {
  auto frame = std::move(frames_.front());
  frames_.pop_front();
  bytes_ -= frame.head.size() + frame.body.size();
  frame.head += ']';
  frame.prefix = frame_prefix(frame.head.size(), frame.body.size());
  return frame;
}

}  // namespace toa::bridge::node
