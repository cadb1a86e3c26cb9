#include "delivery/steps/ladder.hpp"

#include <gtest/gtest.h>

namespace toa::delivery {
namespace {

using std::chrono::milliseconds;

// R19
TEST(Ladder, HasFiveAttemptsOverALittleMoreThanTwoMinutes) {
  const Ladder ladder;
  milliseconds all{};
  for (const auto pause : ladder.pauses) all += pause;
  EXPECT_EQ(ladder.attempts(), 5);
  EXPECT_EQ(all, milliseconds(131'000));
}

// R23
TEST(Ladder, IsReadFromFourPauses) {
  const auto ladder = Ladder::read("50,0,7,86400000");
  ASSERT_TRUE(ladder);
  EXPECT_EQ(ladder->pauses[0], milliseconds(50));
  EXPECT_EQ(ladder->pauses[3], milliseconds(86'400'000));
}

TEST(Ladder, RefusesWhatIsNotFourPauses) {
  for (const auto* text : {"", "50", "50,50,50", "50,50,50,50,50", "50,50,50,50,", "a,b,c,d",
                           "-1,1,1,1", "1,1,,1", " 1,1,1,1", "1,1,1,86400001"}) {
    const auto ladder = Ladder::read(text);
    ASSERT_FALSE(ladder) << text;
    EXPECT_NE(ladder.error().message.find("TOA_LADDER"), std::string::npos);
  }
}

}  // namespace
}  // namespace toa::delivery
