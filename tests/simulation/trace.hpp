#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "simulation/sim_loop.hpp"

namespace toa::simulation {

/// What happened, a line each: the last of it as text, all of it as a hash by which two runs are
/// compared.
class Trace {
 public:
  enum class Tell { at_the_end, at_once };

  Trace(const SimTime& time, Tell tell) : time_(time), tell_(tell) {}

  /// Stands as `…` in every line: it is another one in each run.
  void hide(std::string text) { hidden_ = std::move(text); }

  void line(std::string_view what);

  std::uint64_t hash() const { return hash_; }
  const std::deque<std::string>& story() const { return story_; }

 private:
  const SimTime& time_;
  Tell tell_;
  std::string hidden_;
  std::uint64_t hash_ = 0xcbf29ce484222325;
  std::deque<std::string> story_;
};

}  // namespace toa::simulation
