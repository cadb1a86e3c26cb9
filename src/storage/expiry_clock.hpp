#pragma once

#include <algorithm>

#include "base/clock.hpp"

namespace toa::storage {

/// The time by which remembered calls expire. It never runs backwards: while the wall clock is
/// behind the highest time seen, it advances with the monotonic clock. A clock set back therefore
/// never revives an expired call, and a call remembered meanwhile is kept for its whole window.
class ExpiryClock {
 public:
  /// `reached` is the highest time that the storage has kept.
  ExpiryClock(const Clock& clock, EpochMs reached)
      : clock_(clock), anchor_(reached), anchored_at_(clock.steady()) {}

  EpochMs now() {
    const auto steady = clock_.steady();
    const auto passed =
        std::chrono::duration_cast<std::chrono::milliseconds>(steady - anchored_at_);
    const auto floor = anchor_ + passed.count();
    const auto wall = clock_.now();
    if (wall < floor) return floor;
    anchor_ = wall;
    anchored_at_ = steady;
    return wall;
  }

  /// A moment that the caller took from the wall clock, in this clock's time.
  EpochMs translate(EpochMs wall_moment) { return wall_moment + (now() - clock_.now()); }

 private:
  const Clock& clock_;
  EpochMs anchor_;
  std::chrono::nanoseconds anchored_at_;
};

}  // namespace toa::storage
