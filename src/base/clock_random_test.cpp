#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "base/random.hpp"

namespace toa {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(ManualClock, MovesBothTimesButJumpsOnlyTheWall) {
  ManualClock clock(1'000);
  clock.advance(milliseconds(5));
  clock.jump(milliseconds(-500));
  EXPECT_EQ(clock.now(), 505);
  EXPECT_EQ(clock.steady(), milliseconds(5));
}

TEST(SystemClock, IsShiftedAsTold) {
  const SystemClock clock;
  const SystemClock shifted{hours(24)};
  const auto difference = shifted.now() - clock.now();
  EXPECT_GE(difference, 24 * 3'600'000);
  EXPECT_LT(difference, 25 * 3'600'000);
  EXPECT_LE(clock.steady(), clock.steady());
}

TEST(SeededRandom, GivesTheSameNumbersForTheSameSeed) {
  SeededRandom one(7);
  SeededRandom two(7);
  SeededRandom other(8);
  const auto first = one.next();
  EXPECT_EQ(first, two.next());
  EXPECT_NE(first, other.next());
}

TEST(Random, StaysBelow) {
  SystemRandom random;
  for (int i = 0; i < 1'000; ++i) EXPECT_LT(random.below(3), 3u);
  EXPECT_EQ(random.below(1), 0u);
}

}  // namespace
}  // namespace toa
