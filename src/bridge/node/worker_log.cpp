#include <fmt/format.h>

#include "base/json.hpp"
#include "bridge/node/worker.hpp"

namespace toa::bridge::node {
namespace {

Severity severity_of(std::string_view text) {
  if (text == "error") return Severity::error;
  if (text == "warn" || text == "warning") return Severity::warn;
  if (text == "debug" || text == "trace") return Severity::debug;
  return Severity::info;
}

JsonObject attributes_of(const std::optional<std::string>& text) {
  if (!text) return {};
  auto value = json::parse(*text);
  if (!value) return JsonObject{{"attributes", value.error().message}};
  if (auto* object = value->if_object()) return std::move(*object);
  return JsonObject{{"attributes", std::move(*value)}};
}

}  // namespace

void Worker::receive(LogMessage message) {
  if (!log_gate_.admit()) return;
  message.text.resize(std::min(message.text.size(), limits::worker_line_bytes_max));
  setting_.log.write({.component = std::move(message.component),
                      .severity = severity_of(message.severity),
                      .message = std::move(message.text),
                      .attributes = attributes_of(message.attributes)});
}

void Worker::print(Severity severity, std::string_view line) {
  if (severity == Severity::error) last_lines_.add(line);
  if (!gate_.admit()) return;
  setting_.log.write({.component = std::nullopt,
                      .severity = severity,
                      .message = std::string(line),
                      .attributes = {{"worker", child_->pid()}}});
}

void Worker::tell_dropped(std::size_t lines) {
  if (lines == 0) return;
  setting_.log.write(
      {.component = std::nullopt,
       .severity = Severity::warn,
       .message = fmt::format("A worker printed too much: {} lines were dropped", lines),
       .attributes = {{"worker", child_->pid()}, {"dropped", lines}}});
}

}  // namespace toa::bridge::node
