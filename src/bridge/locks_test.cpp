#include "bridge/locks.hpp"

#include <gtest/gtest.h>

namespace toa::bridge {
namespace {

class LocksTest : public testing::Test {
 protected:
  void claim(const std::string& key, const int& owner, std::uint64_t number) {
    locks_.claim(key, &owner, number, [this, number] { order_ += std::to_string(number) + " "; });
  }

  Locks locks_;
  std::string order_;
  int a_ = 0, b_ = 0;
};

// R171
TEST_F(LocksTest, AreHeldByOneAtATimeInTheOrderOfAsking) {
  claim("k", a_, 1);
  claim("k", b_, 2);
  claim("k", a_, 3);
  EXPECT_EQ(order_, "1 ");
  locks_.release("k", &a_, 1);
  EXPECT_EQ(order_, "1 2 ");
  locks_.release("k", &b_, 2);
  locks_.release("k", &a_, 3);
  EXPECT_EQ(order_, "1 2 3 ");
  EXPECT_EQ(locks_.held(), 0u);
}

TEST_F(LocksTest, OfOtherKeysAreFree) {
  claim("k", a_, 1);
  claim("l", b_, 2);
  EXPECT_EQ(order_, "1 2 ");
}

TEST_F(LocksTest, AreGivenUpWhileTheyAreWaitedFor) {
  claim("k", a_, 1);
  claim("k", b_, 2);
  claim("k", b_, 3);
  locks_.release("k", &b_, 2);
  EXPECT_EQ(order_, "1 ");
  locks_.release("k", &b_, 77);
  locks_.release("other", &b_, 3);
  locks_.release("k", &a_, 1);
  EXPECT_EQ(order_, "1 3 ");
}

TEST_F(LocksTest, OfOneThatIsGoneGoToTheNext) {
  claim("k", a_, 1);
  claim("k", a_, 2);
  claim("k", b_, 3);
  claim("l", b_, 4);
  claim("l", a_, 5);
  locks_.gone(&a_);
  EXPECT_EQ(order_, "1 4 3 ");
  locks_.gone(&b_);
  EXPECT_EQ(locks_.held(), 0u);
}

}  // namespace
}  // namespace toa::bridge
