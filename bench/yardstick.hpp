#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

namespace toa::bench {

/// The hand-written service that Toa is compared with, over a PostgreSQL of its own
/// (bench/yardstick); both end with it.
class Yardstick {
 public:
  /// Nothing where PostgreSQL or its client is missing, which is said on standard error.
  static std::optional<Yardstick> start(const std::string& folder);
  Yardstick(Yardstick&& other) noexcept;
  Yardstick& operator=(Yardstick&&) = delete;
  ~Yardstick();

  std::uint16_t port() const { return port_; }
  /// PostgreSQL's settings that matter here, for people.
  const std::string& settings() const { return settings_; }
  /// The service, as it is written.
  static std::string code();

 private:
  Yardstick() = default;

  pid_t pid_ = 0;
  int input_ = -1;
  std::uint16_t port_ = 0;
  std::string settings_;
};

}  // namespace toa::bench
