#include "simulation/sim_loop.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace toa::simulation {
namespace {

std::string played(std::uint64_t seed, SimLoop::Order order) {
  SimTime time;
  SeededRandom random(seed);
  SimLoop loop(time, random, order);
  std::string heard;
  for (const char c : {'a', 'b', 'c'}) loop.post([&heard, c] { heard += c; });
  while (loop.step()) {
  }
  return heard;
}

TEST(SimLoop, ServesInAnyOrderAndTheSameForTheSameSeed) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    orders.insert(played(seed, SimLoop::Order::any));
    EXPECT_EQ(played(seed, SimLoop::Order::any), played(seed, SimLoop::Order::any));
    EXPECT_EQ(played(seed, SimLoop::Order::first_come), "abc");
  }
  EXPECT_EQ(orders.size(), 6u);
}

TEST(SimLoop, MovesTimeToTheNextTimerOnlyWhereNothingElseIsLeft) {
  SimTime time;
  SeededRandom random(1);
  SimLoop loop(time, random, SimLoop::Order::any);
  std::string heard;
  loop.after(milliseconds(500), [&] { heard += 't'; });
  loop.post([&] { heard += 'p'; });
  EXPECT_TRUE(loop.step());
  EXPECT_LT(time.steady(), milliseconds(1));
  EXPECT_TRUE(loop.step());
  EXPECT_GE(time.steady(), milliseconds(500));
  EXPECT_EQ(heard, "pt");
  EXPECT_FALSE(loop.step());
}

TEST(SimLoop, ACancelledTimerNeverFires) {
  SimTime time;
  SeededRandom random(1);
  SimLoop loop(time, random, SimLoop::Order::any);
  loop.cancel(loop.after(milliseconds(1), [] { FAIL(); }));
  EXPECT_FALSE(loop.step());
}

TEST(SimWorker, RunsItsWorkInOrder) {
  SimTime time;
  SeededRandom random(7);
  SimLoop loop(time, random, SimLoop::Order::any);
  SimWorker worker(loop, random, {.usual_max = nanoseconds(1'000), .slow_max = milliseconds(5)});
  std::string heard;
  for (const char c : {'a', 'b', 'c', 'd'}) worker.post([&heard, c] { heard += c; });
  while (loop.step()) {
  }
  EXPECT_EQ(heard, "abcd");
}

TEST(SimTime, AJumpBackIsNotTakenOffWhatHasPassed) {
  SimTime time;
  const auto began = time.now();
  time.pass(milliseconds(100));
  time.jump(milliseconds(-60));
  EXPECT_EQ(time.now(), began + 40);
  EXPECT_EQ(time.furthest(), milliseconds(100));
  time.jump(milliseconds(70));
  EXPECT_EQ(time.furthest(), milliseconds(110));
}

}  // namespace
}  // namespace toa::simulation
