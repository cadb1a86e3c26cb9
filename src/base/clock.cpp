#include "base/clock.hpp"

namespace toa {

EpochMs SystemClock::now() const {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return (std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch) + shift_).count();
}

std::chrono::nanoseconds SystemClock::steady() const {
  return std::chrono::steady_clock::now().time_since_epoch();
}

}  // namespace toa
