#pragma once

#include <string_view>

#include "base/json.hpp"

namespace toa::telemetry {

enum class Severity { debug, info, warn, error };

std::string_view name(Severity severity);

/// Where the runtime tells its operators what happens. One record is one line of JSON with `time`,
/// `severity`, `message` and the attributes. Thread-safe; never blocks for long; no secret may be
/// given to it.
class Log {
 public:
  virtual ~Log() = default;
  virtual void write(Severity severity, std::string_view message, const JsonObject& attributes) = 0;

  void debug(std::string_view message, const JsonObject& attributes = {}) {
    write(Severity::debug, message, attributes);
  }
  void info(std::string_view message, const JsonObject& attributes = {}) {
    write(Severity::info, message, attributes);
  }
  void warn(std::string_view message, const JsonObject& attributes = {}) {
    write(Severity::warn, message, attributes);
  }
  void error(std::string_view message, const JsonObject& attributes = {}) {
    write(Severity::error, message, attributes);
  }
};

}  // namespace toa::telemetry
