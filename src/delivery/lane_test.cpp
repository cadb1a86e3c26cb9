#include "delivery/lane.hpp"

#include "base/limits.hpp"
#include "delivery/test/delivery_fixture.hpp"

namespace toa::delivery {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class LaneTest : public DeliveryFixture {
 protected:
  ~LaneTest() override { close(); }

  void make(Serves serves = Serves::everything) {
    world_ = std::make_unique<World>(world(serves));
    lane_ = std::make_unique<Lane>(*world_, application.components.at(wallets), [] {});
  }
  void close() {
    gate_.open();
    if (lane_) loop.run_until(lane_->close());
    lane_.reset();
  }

  /// Every call waits at the gate.
  void hold_calls() {
    code.reply = [this](const Call&) -> Task<Reply> {
      co_await gate_.wait();
      co_return Reply{Output{}};
    };
  }
  void throw_always() {
    code.reply = [](const Call&) -> Task<Reply> { co_return Reply{Exception{.message = "away"}}; };
  }

  Gate gate_{loop};
  std::unique_ptr<World> world_;
  std::unique_ptr<Lane> lane_;
};

TEST_F(LaneTest, DeliversWhatIsQueuedAndWhatIsOnTheDisk) {
  put(1, 3);
  make();
  lane_->look();
  loop.run_until_idle();
  put(4, 1);
  lane_->queued(message(4));
  loop.run_until_idle();
  for (std::int64_t n = 1; n <= 4; ++n) EXPECT_EQ(code.calls_of(n), 1u) << n;
  EXPECT_EQ(waiting(), 0u);
  EXPECT_TRUE(lane_->idle());
}

TEST_F(LaneTest, HoldsABoundedPartOfABacklog) {
  const auto backlog = static_cast<std::int64_t>(5 * limits::lane_in_hand_max);
  put(1, backlog);
  hold_calls();
  make();
  lane_->look();
  loop.run_until_idle();
  EXPECT_EQ(gate_.waiting(), limits::lane_working_max);
  EXPECT_LE(lane_->in_hand(), limits::lane_in_hand_max);
  // What comes now waits behind it, on the disk.
  for (auto n = backlog + 1; n <= backlog + 2'000; ++n) {
    put(n, 1);
    lane_->queued(message(n));
  }
  EXPECT_LE(lane_->in_hand(), limits::lane_in_hand_max);
  gate_.open();
  loop.run_until_idle();
  EXPECT_EQ(code.calls.size(), static_cast<std::size_t>(backlog + 2'000));
  EXPECT_EQ(waiting(), 0u);
  EXPECT_LE(code.most_serving, limits::lane_working_max);
  EXPECT_LE(storage.largest_page, limits::lane_page_max);
}

TEST_F(LaneTest, ReadsEachMessageOfABacklogAboutOnce) {
  put(1, 20'000);
  make();
  lane_->look();
  loop.run_until_idle();
  EXPECT_EQ(code.calls.size(), 20'000u);
  EXPECT_LE(storage.reads, 3 * 20'000 / limits::lane_page_max);
}

TEST_F(LaneTest, HoldsABoundedNumberOfBytes) {
  storage::Unit unit;
  for (std::int64_t n = 1; n <= 40; ++n) {
    auto large = message(n);
    large.body = '"' + std::string(1 << 20, 'x') + '"';
    unit.messages.push_back(std::move(large));
  }
  ASSERT_TRUE(loop.run_until(storage.commit(std::move(unit))));
  hold_calls();
  make();
  lane_->look();
  loop.run_until_idle();
  EXPECT_LE(lane_->in_hand(), limits::lane_in_hand_bytes_max >> 20);
  gate_.open();
  loop.run_until_idle();
  EXPECT_EQ(waiting(), 0u);
}

TEST_F(LaneTest, DeliversAMessageLargerThanAllThatMayBeInHand) {
  auto large = message(1);
  large.body = '"' + std::string(2 * limits::lane_in_hand_bytes_max, 'x') + '"';
  ASSERT_TRUE(loop.run_until(storage.commit({.messages = {large}})));
  put(2, 1);
  make();
  lane_->look();
  loop.run_until_idle();
  EXPECT_EQ(waiting(), 0u);
}

// The front of the line is all in hand: what stands behind it is found all the same.
TEST_F(LaneTest, ReadsPastWhatIsInHand) {
  const auto page = static_cast<std::int64_t>(limits::lane_page_max);
  put(1, 60);
  hold_calls();
  make();
  for (std::int64_t n = 1; n <= 60; ++n) lane_->queued(message(n));
  put(61, page + 1);
  lane_->look();
  loop.run_until_idle();
  EXPECT_EQ(gate_.waiting(), limits::lane_working_max);
  gate_.open();
  loop.run_until_idle();
  EXPECT_EQ(code.calls.size(), static_cast<std::size_t>(page) + 61);
  EXPECT_EQ(waiting(), 0u);
}

// R19
TEST_F(LaneTest, ClimbsTheLadderAndParks) {
  throw_always();
  put(1, 1);
  make();
  lane_->look();
  loop.advance(seconds(130));
  EXPECT_EQ(code.calls.size(), 4u);
  loop.advance(seconds(1));
  EXPECT_EQ(code.calls.size(), 5u);
  ASSERT_EQ(parked().size(), 1u);
  EXPECT_EQ(parked()[0].message.attempt, 5);
  EXPECT_EQ(parked()[0].failure.reason, "away");
  EXPECT_TRUE(lane_->idle());
}

// R8, R9
TEST_F(LaneTest, WhatWaitsForItsNextAttemptHoldsNobodyUp) {
  code.reply = [](const Call& call) -> Task<Reply> {
    if (call.serves == MessageNumber(1)) co_return Reply{Exception{.message = "away"}};
    co_return Reply{Output{}};
  };
  put(1, 50);
  make();
  lane_->look();
  loop.run_until_idle();
  EXPECT_EQ(waiting(), 1u);
  EXPECT_TRUE(lane_->idle());
  loop.advance(seconds(131));
  EXPECT_EQ(code.calls_of(1), 5u);
}

TEST_F(LaneTest, DeliversARetryThatWasDueWhenItWasStored) {
  throw_always();
  put(1, 1);
  make();
  world_->ladder = {.pauses = {milliseconds(0), milliseconds(0), milliseconds(0), milliseconds(0)}};
  lane_->look();
  loop.run_until_idle();
  EXPECT_EQ(code.calls.size(), 5u);
  EXPECT_EQ(parked().size(), 1u);
}

TEST_F(LaneTest, DeliversWhatFallsDueWhileAnotherIsLongInWork) {
  hold_calls();
  put(1, 1);
  put(2, 1, wallets, start + 500);
  put(3, 1, wallets, start + 700);
  make();
  lane_->look();
  loop.advance(milliseconds(600));
  EXPECT_EQ(code.calls_of(1), 1u);
  EXPECT_EQ(code.calls_of(2), 1u);
  EXPECT_EQ(code.calls_of(3), 0u);
  loop.advance(milliseconds(100));
  EXPECT_EQ(code.calls_of(3), 1u);
  EXPECT_EQ(code.calls.size(), 3u);
}

TEST_F(LaneTest, LooksForTheSoonestOfWhatIsToCome) {
  make();
  put(1, 1, wallets, start + 9'000);
  lane_->look();
  loop.run_until_idle();
  put(2, 1);
  code.reply = [first = true](const Call&) mutable -> Task<Reply> {
    if (std::exchange(first, false)) co_return Reply{Exception{.message = "away"}};
    co_return Reply{Output{}};
  };
  lane_->queued(message(2));
  loop.advance(milliseconds(1'000));
  EXPECT_EQ(code.calls_of(2), 2u);
  loop.advance(milliseconds(8'000));
  EXPECT_EQ(code.calls_of(1), 1u);
}

// A page that was read before a message left the hand still shows it.
TEST_F(LaneTest, DeliversNothingTwiceBecauseAReadWasOld) {
  Gate reads(loop);
  storage.before_answer = [&]() -> Task<void> { return reads.wait(); };
  put(1, 2);
  make();
  lane_->queued(message(1));
  hold_calls();
  lane_->queued(message(2));
  lane_->look();
  loop.run_until_idle();
  ASSERT_EQ(reads.waiting(), 1u);
  gate_.open();
  loop.run_until_idle();
  reads.open();
  loop.run_until_idle();
  EXPECT_EQ(code.calls.size(), 2u);
  EXPECT_EQ(waiting(), 0u);
}

// The disk shows a message before the answer to its commit is heard.
TEST_F(LaneTest, DeliversNothingTwiceBecauseAReadWasFirst) {
  make();
  lane_->expected(message(1));
  put(1, 1);
  lane_->look();
  loop.run_until_idle();
  EXPECT_TRUE(code.calls.empty());
  lane_->queued(message(1));
  loop.run_until_idle();
  EXPECT_EQ(code.calls_of(1), 1u);
}

TEST_F(LaneTest, LooksForWhatWasWithdrawn) {
  make();
  lane_->expected(message(1));
  put(1, 1);
  lane_->look();
  loop.run_until_idle();
  lane_->withdrawn(message(1));
  loop.run_until_idle();
  EXPECT_EQ(code.calls_of(1), 1u);
}

// What is queued while a page is away stands behind a place that the page does not reach.
TEST_F(LaneTest, FindsWhatWasQueuedWhileAPageWasRead) {
  const auto backlog = static_cast<std::int64_t>(2 * limits::lane_in_hand_max);
  Gate reads(loop);
  storage.before_answer = [&]() -> Task<void> { return reads.wait(); };
  put(1, backlog, wallets, start);
  make();
  lane_->look();
  loop.run_until_idle();
  ASSERT_EQ(reads.waiting(), 1u);
  // It was made before all others, and stored after them.
  put(backlog + 1, 1, wallets, start - 5'000);
  for (std::int64_t n = backlog + 2; n < backlog + 1'500; ++n) {
    put(n, 1);
    lane_->queued(message(n));
  }
  lane_->queued(message(backlog + 1, start - 5'000));
  reads.open();
  loop.run_until_idle();
  EXPECT_EQ(code.calls_of(backlog + 1), 1u);
  EXPECT_EQ(waiting(), 0u);
}

TEST_F(LaneTest, StoresAFateThatCannotBeStoredAtOnceWithoutRunningAgain) {
  int failures = 3;
  storage.fails = [&](const storage::Unit& unit) { return !unit.fates.empty() && failures-- > 0; };
  put(1, 1);
  make();
  lane_->look();
  loop.run_until_idle();
  EXPECT_EQ(waiting(), 1u);
  EXPECT_FALSE(lane_->idle());
  loop.advance(seconds(6));
  EXPECT_EQ(waiting(), 1u);
  loop.advance(seconds(1));
  EXPECT_EQ(code.calls_of(1), 1u);
  EXPECT_EQ(waiting(), 0u);
  EXPECT_TRUE(lane_->idle());
  EXPECT_EQ(log.messages["A message cannot be settled"], 3u);
}

TEST_F(LaneTest, RunsNoBacklogWhoseOutcomesCannotBeStored) {
  bool full = true;
  storage.fails = [&](const storage::Unit& unit) { return full && !unit.fates.empty(); };
  const auto backlog = static_cast<std::int64_t>(4 * limits::lane_working_max);
  put(1, backlog);
  make();
  lane_->look();
  loop.advance(std::chrono::minutes(10));
  EXPECT_EQ(code.calls.size(), limits::lane_working_max);
  full = false;
  loop.advance(limits::settle_pause_max);
  EXPECT_EQ(code.calls.size(), static_cast<std::size_t>(backlog));
  EXPECT_EQ(waiting(), 0u);
}

TEST_F(LaneTest, ClosesWhileAFateCannotBeStored) {
  storage.fails = [](const storage::Unit& unit) { return !unit.fates.empty(); };
  put(1, 3);
  make();
  lane_->look();
  loop.advance(std::chrono::minutes(1));
  const auto before = clock.now();
  loop.run_until(lane_->close());
  EXPECT_EQ(clock.now(), before);
  lane_.reset();
  EXPECT_EQ(waiting(), 3u);
}

TEST_F(LaneTest, GivesUpWhereItServesItsOwnAndNothingCanBeStored) {
  storage.fails = [](const storage::Unit& unit) { return !unit.fates.empty(); };
  put(1, 1);
  make(Serves::own);
  lane_->queued(message(1));
  loop.advance(seconds(30));
  EXPECT_TRUE(lane_->idle());
  EXPECT_EQ(code.calls_of(1), 1u);
  EXPECT_EQ(waiting(), 1u);
}

TEST_F(LaneTest, NoticesAClockThatWasSetBackAndThenRight) {
  make();
  clock.jump(-std::chrono::hours(10));
  put(1, 1, wallets, start + 1'000);
  lane_->look();
  loop.run_until_idle();
  clock.jump(std::chrono::hours(10));
  loop.advance(limits::lane_look_max);
  EXPECT_EQ(code.calls_of(1), 1u);
}

TEST_F(LaneTest, TakesNothingUpOnceItIsToldToStop) {
  hold_calls();
  put(1, static_cast<std::int64_t>(limits::lane_working_max) + 10);
  make();
  lane_->look();
  loop.run_until_idle();
  lane_->stop_taking();
  gate_.open();
  loop.advance(std::chrono::minutes(1));
  EXPECT_EQ(code.calls.size(), limits::lane_working_max);
  EXPECT_EQ(waiting(), 10u);
  EXPECT_TRUE(lane_->idle());
}

TEST_F(LaneTest, ReadsAgainWhereTheQueueCannotBeRead) {
  storage.reads_fail = true;
  put(1, 1);
  make();
  lane_->look();
  loop.advance(seconds(5));
  EXPECT_TRUE(code.calls.empty());
  storage.reads_fail = false;
  loop.advance(seconds(1));
  EXPECT_EQ(code.calls_of(1), 1u);
}

TEST_F(LaneTest, ParksAMessageThatItsComponentHasNoReceiverFor) {
  auto unknown = message(1);
  unknown.name = "shop.orders.gone";
  ASSERT_TRUE(loop.run_until(storage.commit({.messages = {unknown}})));
  make();
  lane_->look();
  loop.run_until_idle();
  ASSERT_EQ(parked().size(), 1u);
  EXPECT_EQ(parked()[0].failure.code, Code::endpoint);
  EXPECT_EQ(parked()[0].message.attempt, 1);
}

// R35
TEST_F(LaneTest, DeliversWhatAnOperatorPutBack) {
  throw_always();
  put(1, 1);
  make();
  lane_->look();
  loop.advance(seconds(131));
  ASSERT_EQ(parked().size(), 1u);
  code.reply = [](const Call&) -> Task<Reply> { co_return Reply{Output{}}; };
  ASSERT_TRUE(
      loop.run_until(storage.commit({.fates = {storage::Return{MessageNumber(1), clock.now()}}})));
  lane_->look();
  loop.run_until_idle();
  EXPECT_EQ(waiting(), 0u);
  EXPECT_EQ(code.calls.back().request.id, message(1).id);
}

TEST_F(LaneTest, ClosesWhileItReads) {
  Gate reads(loop);
  storage.before_answer = [&]() -> Task<void> { return reads.wait(); };
  put(1, 10);
  make();
  lane_->look();
  loop.run_until_idle();
  ASSERT_EQ(reads.waiting(), 1u);
  loop.post([&] { reads.open(); });
  loop.run_until(lane_->close());
  lane_.reset();
  EXPECT_TRUE(code.calls.empty());
  EXPECT_EQ(waiting(), 10u);
}

TEST_F(LaneTest, FinishesWhatIsInWorkWhenItCloses) {
  hold_calls();
  put(1, static_cast<std::int64_t>(limits::lane_working_max) + 10);
  make();
  lane_->look();
  loop.run_until_idle();
  loop.post([&] { gate_.open(); });
  loop.run_until(lane_->close());
  lane_.reset();
  EXPECT_EQ(code.calls.size(), limits::lane_working_max);
  EXPECT_EQ(waiting(), 10u);
}

TEST_F(LaneTest, ServesOnlyWhatItIsGivenWhereItServesItsOwn) {
  put(1, 5);
  make(Serves::own);
  lane_->look();
  lane_->queued(message(3));
  loop.advance(seconds(5));
  EXPECT_EQ(code.calls.size(), 1u);
  EXPECT_EQ(waiting(), 4u);
}

}  // namespace
}  // namespace toa::delivery
