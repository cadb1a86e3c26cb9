#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace toa::bench {

/// How a run measures. The defaults take a little over a minute.
struct Options {
  std::string toa;       // the program
  std::string unsynced;  // the same over a disk that never flushes
  std::string folder;    // made and removed; its disk is the one measured
  /// Of each cell of a table; what is compared is measured in turns within it.
  std::chrono::milliseconds duration{1'500};
  std::size_t connections = 4;
  /// That queries are made over, at most; ten millions take some minutes to be made.
  std::size_t objects = 1'000'000;
  /// Of what is run for a profiler over HTTP.
  std::size_t callers = 256;
  std::size_t wallets = 1'000;
  std::vector<std::string> against = {};  // other builds of the program, compared in turns
  bool json = false;
  /// Runs this operation of bench/app and nothing else, for a profiler to look at.
  std::string only = {};
};

}  // namespace toa::bench
