#include "gateway/directives/buckets.hpp"

#include <algorithm>
#include <cmath>

namespace toa::gateway {

double Buckets::level(const Bucket& bucket, Time now) const {
  const std::chrono::duration<double> passed = now - bucket.at;
  const double filled = passed.count() * burst_ / static_cast<double>(interval_.count());
  return std::min(burst_, bucket.level + filled);
}

std::optional<std::chrono::seconds> Buckets::wait(const std::string& key, Time now) {
  const auto found = buckets_.find(key);
  if (found == buckets_.end()) return std::nullopt;
  const auto missing = 1 - level(found->second, now);
  // What rounding leaves open is not held against the client.
  constexpr double rounding = 1e-9;
  if (missing <= rounding) return std::nullopt;
  const auto seconds =
      std::ceil(missing * static_cast<double>(interval_.count()) / burst_ - rounding);
  return std::chrono::seconds(std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds)));
}

void Buckets::charge(const std::string& key, Time now) {
  auto found = buckets_.find(key);
  if (found == buckets_.end()) {
    make_room(now);
    found = buckets_.emplace(key, Bucket{burst_, now}).first;
  }
  found->second = {level(found->second, now) - 1, now};
}

void Buckets::make_room(Time now) {
  if (buckets_.size() < most_) return;
  // One that is full again says as much as one that is not there.
  std::erase_if(buckets_, [&](const auto& entry) { return level(entry.second, now) >= burst_; });
  if (buckets_.size() >= most_) buckets_.clear();
}

}  // namespace toa::gateway
