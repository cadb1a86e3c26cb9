#pragma once

#include <algorithm>
#include <chrono>

#include "base/limits.hpp"

namespace toa::bridge::node {

/// How long to wait before the next worker is started: not at all after one that lived, longer and
/// longer after those that died at once.
class Respawn {
 public:
  /// A worker ended, `lived` after its start.
  void ended(std::chrono::nanoseconds lived) {
    const bool calm = lived >= limits::worker_calm;
    pause_ = calm ? std::chrono::milliseconds(0)
                  : std::clamp(2 * pause_, limits::worker_pause_first, limits::worker_pause_max);
  }

  std::chrono::milliseconds pause() const { return pause_; }

 private:
  std::chrono::milliseconds pause_{0};
};

}  // namespace toa::bridge::node
