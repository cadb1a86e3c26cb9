#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "simulation/mutant.hpp"
#include "simulation/oracle.hpp"
#include "simulation/trace.hpp"

namespace toa::simulation {

/// What one seed came to. The same seed gives the same hash, wherever and whenever it runs.
struct Finding {
  Violations violations;
  std::uint64_t hash = 0;
  std::uint64_t steps = 0;
  std::deque<std::string> story;
  /// How often the process ended, by where.
  std::map<std::string, int> ends;
};

/// Plays the story of one seed: clients, a process that crashes and starts again, an operator, and
/// troubles, until these end and everything has to come right.
Finding simulate(std::uint64_t seed, Mutant mutant = Mutant::none,
                 Trace::Tell tell = Trace::Tell::at_the_end);

/// The fault places at which the simulation crashes.
std::vector<std::string> crash_places();

}  // namespace toa::simulation
