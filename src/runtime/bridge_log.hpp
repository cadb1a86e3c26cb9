#pragma once

#include "bridge/log_sink.hpp"
#include "telemetry/log.hpp"

namespace toa::runtime {

/// Puts what an author's code and its workers say into the log, with the component it came from.
class BridgeLog final : public bridge::LogSink {
 public:
  explicit BridgeLog(telemetry::Log& log) : log_(log) {}

  void write(bridge::LogEntry entry) override;

 private:
  telemetry::Log& log_;
};

}  // namespace toa::runtime
