#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/limits.hpp"

namespace toa::bridge {

/// How operations are run by Node.
struct NodeOptions {
  /// The executable; searched for in PATH where it has no slash.
  std::string node = "node";
  /// The file of the worker, absolute.
  std::string worker = {};
  /// Arguments for Node itself, before the file (`--max-old-space-size=512`).
  std::vector<std::string> arguments = {};
  std::size_t workers = 1;
  /// What the runtime's clock is ahead of the machine's (TOA_TIME).
  std::chrono::milliseconds clock_shift{0};

  std::chrono::milliseconds silence_max = limits::worker_silence_max;
  std::chrono::milliseconds ping_interval = limits::worker_ping_interval;
  std::chrono::milliseconds load_max = limits::worker_load_max;
  std::chrono::milliseconds report_after = limits::run_report_after;
  std::chrono::milliseconds finish_max = limits::worker_finish_max;
  std::chrono::milliseconds stop_max = limits::worker_stop_max;
  std::chrono::milliseconds trial = limits::worker_trial;
  int starts_in_vain_max = limits::worker_starts_in_vain_max;
};

}  // namespace toa::bridge
