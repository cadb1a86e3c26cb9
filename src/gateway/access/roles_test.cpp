#include "gateway/access/roles.hpp"

#include <gtest/gtest.h>

namespace toa::gateway {
namespace {

TEST(Roles, AreSegmentsOfLettersAndDigits) {  // G208
  for (const auto* good : {"a", "garden:watering", "Garden:2:x", "system:identity:roles"})
    EXPECT_TRUE(is_role(good)) << good;
  for (const auto* bad : {"", ":", "a:", ":a", "a::b", "a-b", "a b", "a:*", "ä", "a/b"})
    EXPECT_FALSE(is_role(bad)) << bad;
  EXPECT_TRUE(is_role(std::string(32, 'a')));
  EXPECT_FALSE(is_role(std::string(33, 'a')));
}

TEST(Roles, CoverThemselvesAndWhatStandsBelow) {  // G209
  EXPECT_TRUE(covers("garden", "garden"));
  EXPECT_TRUE(covers("garden", "garden:watering"));
  EXPECT_TRUE(covers("garden:watering", "garden:watering:beds"));
  EXPECT_FALSE(covers("garden:watering", "garden"));
  EXPECT_FALSE(covers("garden", "gardens"));
  EXPECT_FALSE(covers("gard", "garden"));
  EXPECT_FALSE(covers("garden:weeding", "garden:watering"));
  EXPECT_TRUE(covers(std::vector<std::string>{"a", "b:c"}, "b:c:d"));
  EXPECT_FALSE(covers(std::vector<std::string>{}, "a"));
}

TEST(Roles, OfTheSystemAreTold) {  // G210
  EXPECT_TRUE(is_system("system"));
  EXPECT_TRUE(is_system("system:identity:roles"));
  EXPECT_FALSE(is_system("systems"));
}

}  // namespace
}  // namespace toa::gateway
