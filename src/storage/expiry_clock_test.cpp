#include "storage/expiry_clock.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace toa::storage {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr EpochMs start = 1'700'000'000'000;

class ExpiryClockTest : public ::testing::Test {
 protected:
  ExpiryClock open(EpochMs reached, milliseconds ahead = {}) {
    return ExpiryClock(clock_, {.reached = reached,
                                .ahead = ahead,
                                .window = hours(1),
                                .on_jump = [this](auto by) { jumps_.push_back(by); }});
  }

  ManualClock clock_{start};
  std::vector<milliseconds> jumps_;
};

TEST_F(ExpiryClockTest, FollowsTheWallClock) {
  const auto time = open(start);
  clock_.advance(hours(5));
  EXPECT_EQ(time.now(), clock_.now());
  clock_.jump(seconds(59));
  EXPECT_EQ(time.now(), clock_.now());
  EXPECT_TRUE(jumps_.empty());
}

TEST_F(ExpiryClockTest, NeverRunsBackwards) {
  const auto time = open(start + 1'000);
  EXPECT_EQ(time.now(), start + 1'000);
  clock_.jump(-hours(10));
  clock_.advance(seconds(7));
  EXPECT_EQ(time.now(), start + 8'000);
}

// D6
TEST_F(ExpiryClockTest, DoubtsAJumpAheadForOneWindowAndTellsOfItOnce) {
  const auto time = open(start);
  EXPECT_EQ(time.now(), start);
  clock_.jump(hours(24 * 365));
  EXPECT_EQ(time.now(), start);
  clock_.advance(minutes(59));
  EXPECT_EQ(time.now(), start + milliseconds(minutes(59)).count());
  EXPECT_EQ(jumps_, std::vector<milliseconds>{hours(24 * 365)});
  clock_.advance(minutes(1));
  EXPECT_EQ(time.now(), clock_.now());
}

TEST_F(ExpiryClockTest, AJumpThatIsMendedWithinTheWindowLeavesNothing) {
  const auto time = open(start);
  EXPECT_EQ(time.now(), start);
  clock_.jump(hours(24));
  clock_.advance(minutes(30));
  EXPECT_EQ(time.now(), start + milliseconds(minutes(30)).count());
  clock_.jump(-hours(24));
  clock_.advance(minutes(45));
  EXPECT_EQ(time.now(), clock_.now());
  clock_.jump(hours(24));
  EXPECT_EQ(time.now(), clock_.now() - milliseconds(hours(24)).count());
  EXPECT_EQ(jumps_.size(), 2u);
}

TEST_F(ExpiryClockTest, DoubtsAJumpAlsoOverARestart) {
  clock_.jump(hours(24));
  clock_.advance(minutes(10));
  const ExpiryClock time(clock_, {.reached = start, .ahead = hours(24), .window = hours(1)});
  EXPECT_EQ(time.now(), start + milliseconds(minutes(10)).count());
  EXPECT_EQ(time.ahead(), hours(24));
  clock_.advance(hours(1));
  EXPECT_EQ(time.now(), clock_.now());
  EXPECT_EQ(time.ahead(), hours(0));
}

TEST_F(ExpiryClockTest, DoubtsAClockThatWasBehindAndIsAheadAtTheStart) {
  clock_.jump(hours(2));
  const auto time = open(start, -hours(16));
  EXPECT_EQ(time.now(), start);
  EXPECT_EQ(time.ahead(), hours(2));
  EXPECT_EQ(jumps_.size(), 1u);
  clock_.advance(hours(1));
  EXPECT_EQ(time.now(), clock_.now());
}

TEST_F(ExpiryClockTest, SaysHowFarTheWallClockIsBehind) {
  const auto time = open(start);
  clock_.jump(-hours(3));
  EXPECT_EQ(time.ahead(), -hours(3));
}

TEST_F(ExpiryClockTest, GivesAWholeWindowByEitherClock) {
  const auto time = open(start);
  clock_.jump(-hours(3));
  EXPECT_EQ(time.remembers_from(), start);
  clock_.jump(hours(6));
  EXPECT_EQ(time.remembers_from(), clock_.now());
}

TEST_F(ExpiryClockTest, FollowsWhatItFindsAtTheStartButDeletesNothingByIt) {
  const auto time = open(start - milliseconds(hours(100)).count());
  EXPECT_EQ(time.now(), start);
  EXPECT_EQ(time.deletes_to(), start - milliseconds(hours(100)).count());
  clock_.advance(minutes(59));
  EXPECT_EQ(time.deletes_to(), clock_.now() - milliseconds(hours(100)).count());
  clock_.advance(minutes(1));
  EXPECT_EQ(time.deletes_to(), clock_.now());
  EXPECT_TRUE(jumps_.empty());
}

}  // namespace
}  // namespace toa::storage
