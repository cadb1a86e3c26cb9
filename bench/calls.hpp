#pragma once

#include <array>
#include <string>

#include "figures.hpp"
#include "load.hpp"
#include "options.hpp"
#include "processes.hpp"

namespace toa::bench {

/// One operation under load, with what each thread of the application took from the machine
/// meanwhile.
struct Measured {
  Seen seen;
  ProcessorTime used;

  void add(const Measured& other);
  /// Microseconds of processor time a call.
  double micros(const std::string& thread) const;
  /// The same of the load generator.
  double client_micros() const;
};

/// The way of calling whose cost is compared.
struct Cell {
  std::size_t callers = 1;
  std::size_t objects = 1'000;
};

/// `add` (once), `bump` (the same without) and `noop`, of the application in bench/app.
struct Compared {
  Cell cell;
  Measured once, without, noop;

  /// What `once` takes from the rate, in percent.
  double once_cost() const { return 100 * (1 - once.seen.rate() / without.seen.rate()); }
};

/// Runs the three in turns, so that what the machine does meanwhile falls on all alike.
Compared compare(const Options& options, const std::string& socket, pid_t process, Cell cell);

/// One operation by 256 callers on 1,000 objects, for a profiler to look at.
Measured call_for(const Options& options, const std::string& socket, pid_t process,
                  const std::string& operation);

/// Recognised repeats of calls that were made before, all under way being repeats.
Measured repeat(const Options& options, const std::string& socket, pid_t process,
                std::size_t callers);

Table table_of_calls(const std::vector<Compared>& compared,
                     const std::vector<std::pair<std::size_t, Measured>>& repeats);
Table table_of_processor_time(const std::vector<Compared>& compared,
                              const std::vector<std::pair<std::size_t, Measured>>& repeats);

}  // namespace toa::bench
