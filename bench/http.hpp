#pragma once

#include <string>
#include <utility>
#include <vector>

#include "calls.hpp"
#include "figures.hpp"
#include "options.hpp"

namespace toa::bench {

/// Credits over HTTP, under keys, with a token on every request: Toa with and without `once`, and
/// the hand-written service, in turns.
struct HttpCompared {
  Cell cell;
  Measured once, without;
  Seen yardstick;

  /// What `once` takes from the rate, in percent.
  double once_cost() const { return 100 * (1 - once.seen.rate() / without.seen.rate()); }
};

struct Http {
  std::vector<HttpCompared> compared;
  /// Recognised repeats, by the number of clients.
  std::vector<std::pair<std::size_t, Measured>> repeats;
  double idle_mb = 0, loaded_mb = 0;
  /// Of the hand-written service; empty where it could not be started.
  std::string settings, code;

  const HttpCompared& at(std::size_t callers, std::size_t objects) const;
};

Http measure_http(const Options& options);
/// 256 clients on 1,000 wallets over a disk that never flushes.
HttpCompared measure_http_unsynced(const Options& options);

/// Credits by `callers` clients on `wallets`, for a profiler to look at; in turns with other builds
/// of the program where such are named. The slices of each.
std::vector<std::vector<Measured>> credit_for(const Options& options);

Table table_of_http(const Http& http);
Table table_of_http_time(const Http& http);

}  // namespace toa::bench
