#pragma once

#include <chrono>
#include <optional>

#include "bridge/log_sink.hpp"
#include "bridge/node/active_run.hpp"

namespace toa::bridge::node {

/// What is said of a run that has not ended for long, when it is time to say it again: after
/// `report_after`, then after twice that, and so on. The run goes on waiting.
std::optional<LogEntry> report_waiting(ActiveRun& run, std::chrono::nanoseconds now);

}  // namespace toa::bridge::node
