#pragma once

#include <memory>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "telemetry/log.hpp"

namespace spdlog {
class logger;
namespace details {
class thread_pool;
}
}  // namespace spdlog

namespace toa::telemetry {

/// Writes records as lines of JSON to standard output or to a file that is rotated, on a thread of
/// its own. The queue is bounded; when it is full the oldest records go, so that a slow reader
/// never stops the application.
class JsonLog final : public Log {
 public:
  struct Target {
    /// Empty for standard output.
    std::string file;
    Severity least = Severity::info;
  };

  static Result<std::unique_ptr<JsonLog>> open(const Target& target, const Clock& clock);
  ~JsonLog() override;

  void write(Severity severity, std::string_view message, const JsonObject& attributes) override;
  /// Returns when everything written so far is out.
  void flush();

 private:
  using Pool = spdlog::details::thread_pool;

  JsonLog(std::shared_ptr<Pool> pool, std::shared_ptr<spdlog::logger> logger, const Clock& clock,
          Severity least);

  // Shared because the library asks for it. Ours is the last share: the queued records hold the
  // logger, which must not take the pool along on the pool's own thread.
  std::shared_ptr<Pool> pool_;
  std::shared_ptr<spdlog::logger> logger_;
  const Clock& clock_;
  Severity least_;
};

/// The severity of a word (`debug`, `info`, `warn`, `error`), or nothing.
std::optional<Severity> severity_of(std::string_view name);

}  // namespace toa::telemetry
