#include "spread.hpp"

#include <algorithm>
#include <numeric>

namespace toa::bench {

void Spread::add(const Spread& other) {
  times_.insert(times_.end(), other.times_.begin(), other.times_.end());
}

Nanoseconds Spread::at(double share) const {
  if (times_.empty()) return {};
  auto ordered = times_;
  const auto rank = static_cast<std::size_t>(share * static_cast<double>(ordered.size() - 1));
  const auto place = ordered.begin() + static_cast<std::ptrdiff_t>(rank);
  std::ranges::nth_element(ordered, place);
  return *place;
}

Nanoseconds Spread::sum() const {
  return std::accumulate(times_.begin(), times_.end(), Nanoseconds{});
}

}  // namespace toa::bench
