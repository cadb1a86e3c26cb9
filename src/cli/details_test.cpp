#include "cli/details.hpp"

#include <gtest/gtest.h>

namespace toa::cli {
namespace {

TEST(Details, TellsAnAgeInItsLargestUnit) {
  EXPECT_EQ(age(-5), "0s");
  EXPECT_EQ(age(59'999), "59s");
  EXPECT_EQ(age(60'000), "1m");
  EXPECT_EQ(age(3'600'000), "1h");
  EXPECT_EQ(age(47LL * 3'600'000), "47h");
  EXPECT_EQ(age(48LL * 3'600'000), "2d");
}

TEST(Details, TellsAMomentToTheSecond) {
  EXPECT_EQ(moment(1'764'582'330'999), "2025-12-01 09:45:30 UTC");
}

}  // namespace
}  // namespace toa::cli
