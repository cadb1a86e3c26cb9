#include "operation/steps/retry.hpp"

#include <algorithm>

namespace toa::operation {

std::optional<Again> after_lost_race(const manifest::Operation& operation, int lost,
                                     Random& random) {
  using std::chrono::milliseconds;
  const bool again = operation.type == manifest::Type::assignment ||
                     operation.concurrency == manifest::Concurrency::retry;
  if (!again) return std::nullopt;
  if (lost >= limits::retry_attempts_max) return std::nullopt;
  // Shifting past the maximum would overflow long before the last attempt.
  const int doublings = std::min(lost - 1, 16);
  const auto ceiling = std::min<milliseconds>(limits::retry_pause_first * (1LL << doublings),
                                              limits::retry_pause_max);
  const auto span = static_cast<std::uint64_t>(ceiling.count()) + 1;
  return Again{milliseconds(random.below(span)), lost >= limits::races_lost_before_hold};
}

}  // namespace toa::operation
