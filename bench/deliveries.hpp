#pragma once

#include <cstdint>
#include <string>

#include "figures.hpp"
#include "options.hpp"
#include "processes.hpp"
#include "spread.hpp"

namespace toa::bench {

/// What a rate of deliveries took from the machine.
struct Delivered {
  std::uint64_t count = 0;
  double seconds = 0;
  ProcessorTime used;

  double rate() const { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }
  double micros(const std::string& thread) const;
};

/// From the first call of 256 callers until the last event of theirs is applied and durable.
struct EndToEnd {
  Delivered all;
  /// What was left of it when the calls ended.
  Delivered rest;
  double calls_rate = 0;
};
EndToEnd measure_deliveries(const Options& options);

/// A process that takes over a backlog, is killed, and takes it over again.
struct Backlogs {
  /// 100,000 messages: from `toa start` to ready, and to the first delivery, after a kill.
  Nanoseconds to_ready{}, to_first_delivery{};
  /// 1,000,000 messages.
  Nanoseconds million_to_ready{};
  Delivered million;
  double million_mb = 0;
  /// From a task of another component to its being done, in the midst of these.
  Spread others;
  /// 100,000 changes whose events are not made.
  Delivered records;
  double records_mb = 0;
};
Backlogs measure_backlogs(const Options& options);

Table table_of_deliveries(const EndToEnd& end_to_end, const Backlogs& backlogs);
Table table_of_backlogs(const Backlogs& backlogs);

}  // namespace toa::bench
