#pragma once

#include "async/completion.hpp"
#include "simulation/plan.hpp"

namespace toa::simulation {

/// Troubles that come by chance while the plan's faults last.
class Chaos {
 public:
  Chaos(Random& random, const Plan& plan) : random_(random), plan_(plan) {}

  const Plan& plan() const { return plan_; }
  Random& random() { return random_; }

  bool happens(Permille often) { return !calm_ && random_.below(1'000) < often; }
  milliseconds up_to(milliseconds longest) {
    return milliseconds(random_.below(static_cast<std::uint64_t>(longest.count()) + 1));
  }

  /// Faults end here; what is put right by people is put right later.
  void calm_down() { calm_ = true; }
  bool calm() const { return calm_; }
  void mend() { mended_ = true; }
  bool mended() const { return mended_; }

  /// An author's code that takes its time now and then: mostly longer than a turn on its object,
  /// seldom longer than a repeat waits.
  Task<void> linger(Loop& loop) {
    if (!happens(plan_.lingers)) co_return;
    const milliseconds longest(random_.below(8) == 0 ? 8'000 : 400);
    co_await pause(loop, up_to(longest));
  }

 private:
  Random& random_;
  const Plan& plan_;
  bool calm_ = false;
  bool mended_ = false;
};

}  // namespace toa::simulation
