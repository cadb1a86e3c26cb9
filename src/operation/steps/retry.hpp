#pragma once

#include <chrono>
#include <optional>

#include "base/limits.hpp"
#include "base/random.hpp"
#include "manifest/application.hpp"

namespace toa::operation {

/// What an operation does after it lost a race for its object. An assignment, which read nothing,
/// always goes on (R167).
struct Again {
  std::chrono::milliseconds pause;
  /// It has lost too often: it keeps others from its object while it runs.
  bool hold = false;
};

/// Nothing where it has to give up. `lost` is how many races this call has lost, from 1.
std::optional<Again> after_lost_race(const manifest::Operation& operation, int lost,
                                     Random& random);

}  // namespace toa::operation
