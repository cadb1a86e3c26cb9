#include "operation/repeats.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "async/manual_loop.hpp"
#include "async/scope.hpp"
#include "base/limits.hpp"

namespace toa::operation {
namespace {

using std::chrono::milliseconds;

const CallKey call{"shop.wallets.credit", Identity(Identity::Bytes{})};

class RepeatsTest : public testing::Test {
 protected:
  ~RepeatsTest() override { loop_.run_until(scope_.close(), ManualLoop::Idle::jump); }

  /// Enters, runs for `ms` where it has to, and leaves `reply`, or nothing where it is empty.
  void enter(int ms, std::string reply) { scope_.spawn(run(milliseconds(ms), std::move(reply))); }

  Task<void> run(milliseconds lasts, std::string reply) {
    const Lineage lineage{.call = call};
    auto seat = co_await repeats_.enter(lineage);
    if (seat.first_reply()) {
      got_.push_back(seat.first_reply()->reply.value_or("undefined"));
      co_return;
    }
    started_.push_back(std::chrono::duration_cast<milliseconds>(loop_.now()).count());
    co_await pause(loop_, lasts);
    if (!reply.empty()) seat.leaves({reply});
  }

  ManualLoop loop_;
  Repeats repeats_{loop_};
  std::vector<std::string> got_;
  std::vector<std::int64_t> started_;
  Scope scope_{loop_};
};

// R87, (2)
TEST_F(RepeatsTest, AreAllAnsweredByWhatTheFirstLeaves) {
  for (int i = 0; i < 16; ++i) enter(50, "first");
  loop_.advance(milliseconds(60));
  EXPECT_EQ(started_, (std::vector<std::int64_t>{0}));
  EXPECT_EQ(got_, std::vector<std::string>(15, "first"));
}

// (3)
TEST_F(RepeatsTest, RunOneByOneWhileNothingIsLeft) {
  enter(10, "");
  enter(10, "");
  enter(10, "third");
  enter(10, "fourth");
  loop_.advance(milliseconds(100));
  EXPECT_EQ(started_, (std::vector<std::int64_t>{0, 10, 20}));
  EXPECT_EQ(got_, (std::vector<std::string>{"third"}));
}

// (1)
TEST_F(RepeatsTest, WaitFiveSecondsAtMost) {
  enter(20'000, "");
  loop_.advance(milliseconds(1'000));
  enter(1, "second");
  enter(1, "third");
  loop_.advance(milliseconds(20'000));
  EXPECT_EQ(started_, (std::vector<std::int64_t>{0, 6'000, 6'000}));
}

TEST_F(RepeatsTest, ThatRanForTheirTimeAnswerWhoeverStillWaits) {
  enter(20'000, "");
  enter(100, "second");
  loop_.advance(milliseconds(1'000));
  enter(100, "third");
  loop_.advance(milliseconds(5'000));
  EXPECT_EQ(got_, (std::vector<std::string>{"second"}));
}

TEST_F(RepeatsTest, NeverWaitForWhatTheyRunBeneath) {
  Lineage above{.call = call};
  Lineage between{.above = &above, .call = {"shop.orders.place", call.identity}};
  const Lineage beneath{.above = &between, .call = call};
  const auto outer = loop_.run_until(repeats_.enter(above));
  {
    auto inner = loop_.run_until(repeats_.enter(beneath));
    EXPECT_FALSE(inner.first_reply());
    enter(1, "waits");
    inner.leaves({"inner"});
  }
  loop_.run_until_idle();
  EXPECT_EQ(got_, (std::vector<std::string>{"inner"}));
}

// The first ends at the very moment when a waiter's time does, before the waiter has gone on.
TEST_F(RepeatsTest, SurviveTheirTimeEndingTogetherWithTheFirst) {
  const Lineage lineage{.call = call};
  std::optional<Repeats::Seat> first(loop_.run_until(repeats_.enter(lineage)));
  loop_.after(limits::repeat_wait_max, [&] {
    first->leaves({"first"});
    first.reset();
  });
  enter(1, "second");
  enter(1, "third");
  loop_.advance(limits::repeat_wait_max);
  EXPECT_EQ(got_, (std::vector<std::string>{"first", "first"}));
  EXPECT_TRUE(started_.empty());
}

TEST_F(RepeatsTest, TellCallsApartByEndpointAndIdentity) {
  const Lineage one{.call = call};
  const Lineage other{.call = {"shop.wallets.debit", call.identity}};
  const auto first = loop_.run_until(repeats_.enter(one));
  const auto second = loop_.run_until(repeats_.enter(other));
  EXPECT_FALSE(first.first_reply());
  EXPECT_FALSE(second.first_reply());
}

}  // namespace
}  // namespace toa::operation
