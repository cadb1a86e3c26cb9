#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "spread.hpp"

namespace toa::bench {

/// What callers saw within the measured time.
struct Seen {
  Spread waits;
  std::uint64_t replayed = 0;
  std::uint64_t failed = 0;
  std::string first_failure;
  double seconds = 0;
  /// What the load generator itself took from the machine.
  Nanoseconds own_time{};

  double rate() const { return static_cast<double>(waits.count()) / seconds; }
  void add(const Seen& other);
};

/// Appends the request of one call as JSON, without line feed or braces around it.
using MakeRequest = std::function<void(std::string&)>;

/// Callers, each of which makes its next call when its last is answered. They share a few
/// connections, on which their calls are pipelined; one thread serves them all and never blocks but
/// in poll.
class Load {
 public:
  struct Phases {
    std::chrono::milliseconds warm_up;
    std::chrono::milliseconds measured;
    std::function<void()> begins = [] {};
    std::function<void()> ends = [] {};
  };

  Load(const std::string& socket, std::size_t callers, std::size_t connections);
  ~Load();
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  /// Makes calls to `endpoint`; returns when all are answered.
  Seen run(const std::string& endpoint, const MakeRequest& request, const Phases& phases);

 private:
  class Connection;

  std::size_t callers_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace toa::bench
