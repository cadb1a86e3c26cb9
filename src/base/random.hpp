#pragma once

#include <cstdint>
#include <memory>
#include <random>

namespace toa {

/// A source of random numbers; owned by one thread.
class Random {
 public:
  virtual ~Random() = default;
  virtual std::uint64_t next() = 0;

  /// In [0, below); `below` must not be 0.
  std::uint64_t below(std::uint64_t below) { return next() % below; }
};

/// Seeded by the system; not for secrets.
class SystemRandom final : public Random {
 public:
  SystemRandom();
  std::uint64_t next() override { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

/// The same numbers for the same seed, for tests and the simulation.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t next() override { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace toa
