#include "operation/turns.hpp"

#include <gtest/gtest.h>
#include <vector>

#include "async/manual_loop.hpp"
#include "async/scope.hpp"
#include "base/limits.hpp"

namespace toa::operation {
namespace {

using std::chrono::milliseconds;
using Kind = Turns::Kind;

const Identity no_identity{Identity::Bytes{}};

ObjectKey key(std::string id) {
  return {ComponentId("shop.wallets"), EntityId(std::move(id))};
}

class TurnsTest : public testing::Test {
 protected:
  TurnsTest() : lineage_{.call = {"shop.wallets.credit", no_identity}} {}

  ~TurnsTest() override { loop_.run_until(scope_.close(), ManualLoop::Idle::jump); }

  /// Asks for a turn and keeps it for `ms`; `order` tells who got one, `at` when.
  void ask(int who, std::string id, int ms, Kind kind = Kind::turn) {
    scope_.spawn(use(who, key(std::move(id)), milliseconds(ms), kind));
  }

  Task<void> use(int who, ObjectKey object, milliseconds lasts, Kind kind) {
    auto turn = co_await turns_.take(std::move(object), lineage_, kind);
    order_.push_back(who);
    at_.push_back(std::chrono::duration_cast<milliseconds>(loop_.now()).count());
    co_await pause(loop_, lasts);
  }

  ManualLoop loop_;
  Turns turns_{loop_};
  Lineage lineage_;
  std::vector<int> order_;
  std::vector<std::int64_t> at_;
  Scope scope_{loop_};
};

TEST_F(TurnsTest, AreGivenInTheOrderOfAsking) {
  for (int who = 1; who <= 4; ++who) ask(who, "w1", 10);
  loop_.advance(milliseconds(100));
  EXPECT_EQ(order_, (std::vector{1, 2, 3, 4}));
  EXPECT_EQ(at_, (std::vector<std::int64_t>{0, 10, 20, 30}));
  EXPECT_EQ(turns_.objects(), 0u);
}

TEST_F(TurnsTest, OfDifferentObjectsDoNotWaitForEachOther) {
  ask(1, "w1", 10);
  ask(2, "w2", 10);
  loop_.advance(milliseconds(5));
  EXPECT_EQ(order_, (std::vector{1, 2}));
  EXPECT_EQ(turns_.objects(), 2u);
}

TEST_F(TurnsTest, EndByTheirTime) {
  ask(1, "w1", 10'000);
  ask(2, "w1", 10'000);
  ask(3, "w1", 1);
  loop_.advance(milliseconds(200));
  EXPECT_EQ(at_, (std::vector<std::int64_t>{0, 100, 200}));
}

// The first one's end must not end the turn of whoever came after it.
TEST_F(TurnsTest, ThatTheirTimeEndedDoNotEndAnother) {
  ask(1, "w1", 150);
  ask(2, "w1", 90);
  ask(3, "w1", 1);
  loop_.advance(milliseconds(400));
  EXPECT_EQ(at_, (std::vector<std::int64_t>{0, 100, 190}));
}

TEST_F(TurnsTest, ThatHoldLastLonger) {
  ask(1, "w1", 10'000, Kind::hold);
  ask(2, "w1", 1);
  loop_.advance(limits::hold_max);
  EXPECT_EQ(at_, (std::vector<std::int64_t>{0, 1'000}));
}

TEST_F(TurnsTest, AreLeftByTheFirstCallUnlessTheyHold) {
  auto turn = loop_.run_until(turns_.take(key("w1"), lineage_, Kind::turn));
  turn.leave();
  EXPECT_EQ(turns_.objects(), 0u);
  turn = loop_.run_until(turns_.take(key("w1"), lineage_, Kind::hold));
  turn.leave();
  EXPECT_EQ(turns_.objects(), 1u);
  turn.end();
  turn.end();
  EXPECT_EQ(turns_.objects(), 0u);
}

// (4)
TEST_F(TurnsTest, PassWhatRunsBeneathAHolder) {
  Lineage holder{
      .call = {"shop.wallets.credit", no_identity}, .objects = {key("w1")}, .holds = true};
  Lineage between{.above = &holder, .call = {"shop.orders.place", no_identity}};
  Lineage beneath{.above = &between, .call = {"shop.wallets.debit", no_identity}};
  auto held = loop_.run_until(turns_.take(key("w1"), holder, Kind::hold));
  auto passed = loop_.run_until(turns_.take(key("w1"), beneath, Kind::turn));
  passed.end();
  EXPECT_EQ(turns_.objects(), 1u);
  holder.holds = false;
  EXPECT_FALSE(beneath.is_beneath_holder_of(key("w1")));
  EXPECT_FALSE(holder.is_beneath_holder_of(key("w1")));
}

TEST_F(TurnsTest, MoveWithTheirTime) {
  auto first = loop_.run_until(turns_.take(key("w1"), lineage_, Kind::turn));
  auto second = std::move(first);
  first.end();
  EXPECT_EQ(turns_.objects(), 1u);
  first = loop_.run_until(turns_.take(key("w2"), lineage_, Kind::turn));
  second = std::move(first);
  EXPECT_EQ(turns_.objects(), 1u);
  loop_.advance(limits::turn_max);
  EXPECT_EQ(turns_.objects(), 0u);
}

}  // namespace
}  // namespace toa::operation
