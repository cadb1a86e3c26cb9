#include "bridge/stash.hpp"

#include <gtest/gtest.h>

namespace toa::bridge {
namespace {

using namespace std::chrono_literals;
using If = Stash::If;

class StashTest : public testing::Test {
 protected:
  bool set(const std::string& key, std::string value, Stash::Ttl ttl = {}, If when = If::always) {
    const auto done = stash_.set(key, std::move(value), ttl, when);
    return done && *done;
  }

  ManualClock clock_{0};
  Stash stash_{clock_, 1'000};
};

TEST_F(StashTest, GivesWhatWasSet) {
  EXPECT_FALSE(stash_.get("a"));
  EXPECT_TRUE(set("a", "1"));
  EXPECT_EQ(stash_.get("a"), "1");
  EXPECT_TRUE(set("a", "22"));
  EXPECT_EQ(stash_.get("a"), "22");
  EXPECT_TRUE(stash_.remove("a"));
  EXPECT_FALSE(stash_.remove("a"));
  EXPECT_EQ(stash_.bytes(), 0u);
}

TEST_F(StashTest, SetsOnlyWhatIsAbsentOrPresentWhereAsked) {
  EXPECT_FALSE(set("a", "1", {}, If::present));
  EXPECT_TRUE(set("a", "1", {}, If::absent));
  EXPECT_FALSE(set("a", "2", {}, If::absent));
  EXPECT_EQ(stash_.get("a"), "1");
  EXPECT_TRUE(set("a", "2", {}, If::present));
  EXPECT_EQ(stash_.get("a"), "2");
}

TEST_F(StashTest, ForgetsWhatIsPastItsTime) {
  set("a", "1", 100ms);
  set("b", "1");
  EXPECT_EQ(stash_.left_ms("a"), 100);
  EXPECT_EQ(stash_.left_ms("b"), -1);
  clock_.advance(99ms);
  EXPECT_EQ(stash_.get("a"), "1");
  clock_.advance(1ms);
  EXPECT_FALSE(stash_.get("a"));
  EXPECT_EQ(stash_.left_ms("a"), -2);
  EXPECT_TRUE(stash_.expire("b", 5ms));
  EXPECT_FALSE(stash_.expire("a", 5ms));
  clock_.advance(5ms);
  EXPECT_TRUE(set("b", "2", {}, If::absent));
  EXPECT_EQ(stash_.left_ms("b"), -1);
}

TEST_F(StashTest, HoldsNoMoreThanItMayAndForgetsTheLeastUsed) {
  for (const auto* key : {"a", "b", "c", "d"}) set(key, std::string(100, 'x'));
  EXPECT_TRUE(stash_.get("a"));
  EXPECT_TRUE(set("e", std::string(100, 'x')));
  EXPECT_LE(stash_.bytes(), 1'000u);
  EXPECT_TRUE(stash_.get("a"));
  EXPECT_FALSE(stash_.get("b"));
  EXPECT_FALSE(stash_.set("big", std::string(1'000, 'x'), {}, If::always));
  EXPECT_FALSE(stash_.set(std::string(2'000, 'k'), "x", {}, If::always));
  EXPECT_TRUE(stash_.get("a"));
}

TEST_F(StashTest, AddsToWholeNumbersAndKeepsTheirTime) {
  EXPECT_EQ(stash_.add("n", 5), 5);
  EXPECT_EQ(stash_.add("n", -7), -2);
  EXPECT_EQ(stash_.get("n"), "-2");
  stash_.expire("n", 10ms);
  stash_.add("n", 1);
  EXPECT_EQ(stash_.left_ms("n"), 10);
  set("text", "five");
  EXPECT_FALSE(stash_.add("text", 1));
  set("most", "9007199254740992");
  EXPECT_FALSE(stash_.add("most", 1));
  EXPECT_FALSE(stash_.add("n", INT64_MAX));
}

}  // namespace
}  // namespace toa::bridge
