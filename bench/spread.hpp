#pragma once

#include <chrono>
#include <vector>

namespace toa::bench {

using Nanoseconds = std::chrono::nanoseconds;

inline double milliseconds(Nanoseconds time) {
  return static_cast<double>(time.count()) / 1e6;
}
inline double seconds(Nanoseconds time) {
  return static_cast<double>(time.count()) / 1e9;
}

/// Measured durations, all of them kept: a percentile of buckets would hide what it rounds.
class Spread {
 public:
  void add(Nanoseconds time) { times_.push_back(time); }
  void add(const Spread& other);

  std::size_t count() const { return times_.size(); }
  /// The duration that `share` (0 to 1) of all do not exceed; zero where none was measured.
  Nanoseconds at(double share) const;
  Nanoseconds sum() const;

 private:
  std::vector<Nanoseconds> times_;
};

}  // namespace toa::bench
