#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace toa::gateway {

/// Token buckets by key. Time is given in, so that nothing here waits or asks a clock.
class Buckets {
 public:
  using Time = std::chrono::nanoseconds;

  /// `burst` requests at once, and as many again within `interval`; at most `most` keys.
  Buckets(std::int64_t burst, std::chrono::seconds interval, std::size_t most)
      : burst_(static_cast<double>(burst)), interval_(interval), most_(most) {}

  /// How long until one is to be had; nothing where one is.
  std::optional<std::chrono::seconds> wait(const std::string& key, Time now);
  /// Takes one, also where there is less than one.
  void charge(const std::string& key, Time now);

  std::size_t size() const { return buckets_.size(); }

 private:
  struct Bucket {
    double level = 0;
    Time at{};
  };

  double level(const Bucket& bucket, Time now) const;
  void make_room(Time now);

  double burst_;
  std::chrono::seconds interval_;
  std::size_t most_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace toa::gateway
