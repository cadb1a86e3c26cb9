#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "simulation/mutant.hpp"

namespace toa::simulation {

/// Many seeds, in processes of their own: one that ends badly is known by its seed, and what dead
/// lives left in memory goes with them.
struct Herd {
  std::uint64_t first = 1;
  std::uint64_t count = 1;
  unsigned jobs = 1;
  Mutant mutant = Mutant::none;
  /// Told of seeds that are done, now and then.
  std::function<void(std::uint64_t done)> progress = {};
};

struct Failed {
  std::uint64_t seed = 0;
  /// What was violated, and the last of what happened before.
  std::string story;
};

struct Summary {
  std::uint64_t done = 0;
  std::uint64_t steps = 0;
  /// How often a process ended, by where.
  std::map<std::string, std::uint64_t> ends;
  /// The first to fail; none ran after it.
  std::optional<Failed> failed;
};

Summary run(const Herd& herd);

}  // namespace toa::simulation
