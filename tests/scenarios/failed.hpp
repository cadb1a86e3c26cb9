#pragma once

#include <string>

namespace toa::scenarios {

/// A scenario that does not hold: thrown by a step, caught where it is told.
struct Failed {
  std::string what;
};

}  // namespace toa::scenarios
