#include "gateway/directives/buckets.hpp"

#include <gtest/gtest.h>

#include "gateway/directives/languages.hpp"

namespace toa::gateway {
namespace {

using namespace std::chrono_literals;

TEST(Buckets, FillAgainWithTime) {  // G136
  Buckets buckets(2, 10s, 100);
  EXPECT_FALSE(buckets.wait("a", 0s));
  buckets.charge("a", 0s);
  buckets.charge("a", 0s);
  EXPECT_EQ(buckets.wait("a", 0s), 5s);
  EXPECT_EQ(buckets.wait("a", 4s), 1s);
  EXPECT_FALSE(buckets.wait("a", 5s));
  EXPECT_FALSE(buckets.wait("b", 0s));
}

TEST(Buckets, StayWithinTheirBound) {
  Buckets buckets(1, 1s, 10);
  for (int i = 0; i < 1'000; ++i) buckets.charge(std::to_string(i), 0s);
  EXPECT_LE(buckets.size(), 10u);
}

TEST(Languages, AreChosenByQuality) {  // G142
  const std::vector<std::string> known{"en", "de", "fr-CH"};
  EXPECT_EQ(best_language(known, ""), "en");
  EXPECT_EQ(best_language(known, "it, ja"), "en");
  EXPECT_EQ(best_language(known, "de-AT, en;q=0.9"), "de");
  EXPECT_EQ(best_language(known, "fr;q=0.5, de;q=0.4"), "fr-CH");
  EXPECT_EQ(best_language(known, "fr-CA"), "en");
  EXPECT_EQ(best_language(known, "de;q=0, en"), "en");
}

}  // namespace
}  // namespace toa::gateway
