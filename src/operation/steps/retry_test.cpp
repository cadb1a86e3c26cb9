#include "operation/steps/retry.hpp"

#include <gtest/gtest.h>

namespace toa::operation {
namespace {

using manifest::Concurrency;
using std::chrono::milliseconds;

manifest::Operation transition(Concurrency concurrency) {
  manifest::Operation operation;
  operation.concurrency = concurrency;
  return operation;
}

/// The ends of the scale.
class FixedRandom final : public Random {
 public:
  explicit FixedRandom(std::uint64_t value) : value_(value) {}
  std::uint64_t next() override { return value_; }

 private:
  std::uint64_t value_;
};

TEST(AfterLostRace, RunsThirtyTwoTimesAtMost) {
  SeededRandom random(1);
  const auto retry = transition(Concurrency::retry);
  int attempts = 1;
  while (after_lost_race(retry, attempts, random)) ++attempts;
  EXPECT_EQ(attempts, 32);
}

TEST(AfterLostRace, GivesUpAtOnceWhereItDoesNotRetry) {
  SeededRandom random(1);
  EXPECT_FALSE(after_lost_race(transition(Concurrency::none), 1, random));
  EXPECT_FALSE(after_lost_race(transition(Concurrency::unstated), 1, random));
}

// Full jitter: anything from nothing up to a ceiling that doubles from 1 ms to 1 s.
TEST(AfterLostRace, PausesUpToACeilingThatDoubles) {
  const auto retry = transition(Concurrency::retry);
  for (int lost = 1; lost < limits::retry_attempts_max; ++lost) {
    const auto ceiling = lost > 10 ? 1'000 : std::min(1 << (lost - 1), 1'000);
    FixedRandom none(0);
    FixedRandom all(static_cast<std::uint64_t>(ceiling));
    FixedRandom over(static_cast<std::uint64_t>(ceiling) + 1);
    EXPECT_EQ(after_lost_race(retry, lost, none)->pause, milliseconds(0)) << lost;
    EXPECT_EQ(after_lost_race(retry, lost, all)->pause, milliseconds(ceiling)) << lost;
    EXPECT_EQ(after_lost_race(retry, lost, over)->pause, milliseconds(0)) << lost;
  }
}

// D5
TEST(AfterLostRace, HoldsTheObjectAfterThreeLosses) {
  SeededRandom random(1);
  const auto retry = transition(Concurrency::retry);
  EXPECT_FALSE(after_lost_race(retry, 2, random)->hold);
  EXPECT_TRUE(after_lost_race(retry, 3, random)->hold);
}

}  // namespace
}  // namespace toa::operation
