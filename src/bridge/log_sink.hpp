#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"

namespace toa::bridge {

enum class Severity { debug, info, warn, error };

/// One thing said: by an author's code (`console.*`, `context.logs.*`), by a worker's output, or by
/// a bridge itself.
struct LogEntry {
  /// Whose code said it; nothing where that is not known.
  std::optional<std::string> component;
  Severity severity = Severity::info;
  /// As it came: it may hold any bytes where a worker printed them.
  std::string message;
  JsonObject attributes = {};
};

/// Takes what a bridge has to say. Called on the loop's thread; must not wait.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void write(LogEntry entry) = 0;
};

}  // namespace toa::bridge
