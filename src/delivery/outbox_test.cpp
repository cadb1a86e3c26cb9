#include "delivery/outbox.hpp"

#include "base/limits.hpp"
#include "delivery/test/delivery_fixture.hpp"

namespace toa::delivery {
namespace {

using std::chrono::milliseconds;

class OutboxTest : public DeliveryFixture {
 protected:
  ~OutboxTest() override {
    if (outbox_) loop.run_until(outbox_->close());
  }

  void make(Serves serves = Serves::everything) {
    world_ = std::make_unique<World>(world(serves));
    outbox_ = std::make_unique<Outbox>(*world_, queueing());
  }
  Outbox::Queueing queueing() {
    const auto number = [this](std::size_t count) {
      const MessageNumber first(last_ + 1);
      last_ += static_cast<std::int64_t>(count);
      return first;
    };
    const auto queued = [this](std::vector<Message> messages) {
      queued_.insert(queued_.end(), messages.begin(), messages.end());
    };
    const auto count = [](std::size_t& of) {
      return [&of](const std::vector<Message>& messages) { of += messages.size(); };
    };
    return {.number = number,
            .expected = count(expected_),
            .queued = queued,
            .withdrawn = count(withdrawn_)};
  }
  void keep(std::int64_t first, std::int64_t count, const ComponentId& component = orders) {
    storage::Unit unit;
    for (auto n = first; n < first + count; ++n) unit.records.push_back(record(n, component));
    ASSERT_TRUE(loop.run_until(storage.commit(std::move(unit))));
  }
  std::size_t kept() {
    return loop.run_until(storage.records(std::nullopt, 1'000'000)).value().size();
  }
  std::size_t evaluated(std::int64_t n) {
    return static_cast<std::size_t>(std::ranges::count(code.evaluated, record(n).id));
  }

  std::unique_ptr<World> world_;
  std::unique_ptr<Outbox> outbox_;
  std::int64_t last_ = 0;
  std::vector<Message> queued_;
  std::size_t expected_ = 0;
  std::size_t withdrawn_ = 0;
};

// R41, R81
TEST_F(OutboxTest, MakesOneMessageForEachReceiver) {
  keep(1, 1);
  make();
  outbox_->stored(record(1));
  loop.run_until_idle();
  ASSERT_EQ(queued_.size(), 2u);
  EXPECT_EQ(queued_[0].component, wallets);
  EXPECT_EQ(queued_[1].component, mails);
  EXPECT_EQ(queued_[0].id, event_identity(record(1).id, paid));
  EXPECT_EQ(queued_[1].id, queued_[0].id);
  EXPECT_NE(queued_[1].number, queued_[0].number);
  EXPECT_EQ(waiting(), 2u);
  EXPECT_EQ(kept(), 0u);
}

// R44
TEST_F(OutboxTest, PublishesWhatAnEarlierProcessLeft) {
  keep(1, 1'000);
  make();
  outbox_->start();
  loop.run_until_idle();
  EXPECT_EQ(kept(), 0u);
  EXPECT_EQ(waiting(), 2'000u);
  EXPECT_TRUE(outbox_->idle());
}

TEST_F(OutboxTest, MakesTheMessagesOfABacklogTogether) {
  keep(1, 2'000);
  std::size_t most = 0;
  code.payloads = [&](const Record&) -> PlayedCode::Payloads {
    most = std::max(most, outbox_->in_hand());
    return JsonObject{{"paid", 1}};
  };
  make();
  outbox_->start();
  loop.run_until_idle();
  EXPECT_EQ(kept(), 0u);
  EXPECT_GT(most, limits::outbox_low);
  EXPECT_LE(most, limits::outbox_in_hand_max);
}

TEST_F(OutboxTest, HoldsABoundedPartOfAFloodAndPublishesAll) {
  const auto flood = static_cast<std::int64_t>(3 * limits::outbox_in_hand_max);
  keep(1, flood);
  make();
  for (std::int64_t n = 1; n <= flood; ++n) outbox_->stored(record(n));
  EXPECT_LE(outbox_->in_hand(), limits::outbox_in_hand_of_one_max);
  loop.run_until_idle();
  EXPECT_EQ(kept(), 0u);
  EXPECT_EQ(code.evaluated.size(), static_cast<std::size_t>(flood));
}

TEST_F(OutboxTest, AFloodOfOneComponentLeavesRoomForAnother) {
  application.components[mails].events["sent"] = {
      .name = "sent", .label = "shop.mails.sent", .inherited = {}, .file = "/sent.js"};
  const auto flood = static_cast<std::int64_t>(2 * limits::outbox_in_hand_max);
  keep(1, flood);
  keep(flood + 1, 1, mails);
  make();
  for (std::int64_t n = 1; n <= flood; ++n) outbox_->stored(record(n));
  const auto before = outbox_->in_hand();
  outbox_->stored(record(flood + 1, mails));
  EXPECT_EQ(outbox_->in_hand(), before + 1);
  loop.run_until_idle();
  EXPECT_EQ(kept(), 0u);
}

TEST_F(OutboxTest, HoldsABoundedNumberOfBytes) {
  make();
  for (std::int64_t n = 1; n <= 100; ++n) {
    auto large = record(n);
    large.change = R"({"origin":null,"state":{"id":")" + std::string(1 << 20, 'x') + "\"}}";
    ASSERT_TRUE(loop.run_until(storage.commit({.records = {large}})));
    outbox_->stored(std::move(large));
    EXPECT_LE(outbox_->in_hand(), limits::outbox_in_hand_bytes_max >> 20);
  }
  loop.run_until_idle();
  EXPECT_EQ(kept(), 0u);
}

// R48
TEST_F(OutboxTest, ATornEventIsTriedEveryIntervalAndHoldsUpNoOther) {
  bool torn = true;
  code.payloads = [&](const Record& of) -> PlayedCode::Payloads {
    if (torn && of.id == record(3).id) return std::unexpected(Exception{.message = "torn"});
    return JsonObject{{"paid", 1}};
  };
  keep(1, 5);
  make();
  outbox_->start();
  loop.run_until_idle();
  EXPECT_EQ(kept(), 1u);
  EXPECT_EQ(waiting(), 8u);
  loop.advance(3 * milliseconds(application.context.outbox_interval_ms));
  EXPECT_EQ(evaluated(3), 4u);
  torn = false;
  loop.advance(milliseconds(application.context.outbox_interval_ms));
  EXPECT_EQ(kept(), 0u);
  EXPECT_EQ(evaluated(1), 1u);
}

TEST_F(OutboxTest, ComplainsOfAComponentOnceInASweep) {
  code.payloads = [](const Record&) -> PlayedCode::Payloads {
    return std::unexpected(Exception{.message = "torn"});
  };
  keep(1, 500);
  make();
  outbox_->start();
  loop.run_until_idle();
  EXPECT_EQ(log.messages["Events held back"], 1u);
  loop.advance(milliseconds(application.context.outbox_interval_ms));
  EXPECT_EQ(log.messages["Events held back"], 2u);
}

TEST_F(OutboxTest, KeepsTheRecordsOfARemovedComponent) {
  keep(1, 1, ComponentId("shop.gone"));
  make();
  outbox_->start();
  loop.run_until_idle();
  EXPECT_EQ(kept(), 1u);
  EXPECT_EQ(log.messages["Events held back"], 1u);
}

TEST_F(OutboxTest, TriesAgainWhereMessagesCannotBeStored) {
  bool full = true;
  storage.fails = [&](const storage::Unit& unit) { return full && !unit.published.empty(); };
  keep(1, 10);
  make();
  for (std::int64_t n = 1; n <= 10; ++n) outbox_->stored(record(n));
  loop.run_until_idle();
  EXPECT_EQ(waiting(), 0u);
  EXPECT_EQ(withdrawn_, 0u);
  full = false;
  loop.advance(limits::settle_pause_max);
  EXPECT_EQ(kept(), 0u);
  EXPECT_EQ(waiting(), 20u);
  EXPECT_EQ(expected_, withdrawn_ + queued_.size());
}

// A full disk is no reason to evaluate the events of a whole backlog again and again.
TEST_F(OutboxTest, EvaluatesNoBacklogWhoseMessagesCannotBeStored) {
  bool full = true;
  storage.fails = [&](const storage::Unit& unit) { return full && !unit.published.empty(); };
  const auto backlog = static_cast<std::int64_t>(3 * limits::outbox_publishing_max);
  keep(1, backlog);
  make();
  outbox_->start();
  loop.advance(std::chrono::minutes(5));
  EXPECT_EQ(code.evaluated.size(), limits::outbox_publishing_max);
  full = false;
  loop.advance(limits::settle_pause_max);
  EXPECT_EQ(kept(), 0u);
  EXPECT_EQ(code.evaluated.size(), static_cast<std::size_t>(backlog));
}

TEST_F(OutboxTest, ClosesWhileNothingCanBeStored) {
  storage.fails = [](const storage::Unit& unit) { return !unit.published.empty(); };
  keep(1, 3);
  make();
  outbox_->start();
  loop.advance(std::chrono::minutes(1));
  const auto before = clock.now();
  loop.run_until(outbox_->close());
  EXPECT_EQ(clock.now(), before);
  outbox_.reset();
  EXPECT_EQ(withdrawn_, 6u);
}

// Each try costs others their workers.
TEST_F(OutboxTest, EventsThatEndTheirWorkersAreTriedEverMoreSeldom) {
  bool mended = false;
  code.payloads = [&](const Record& of) -> PlayedCode::Payloads {
    if (!mended && of.id == record(2).id)
      return std::unexpected(Exception{.message = "ended its worker twice", .for_good = true});
    return JsonObject{{"paid", 1}};
  };
  keep(1, 3);
  make();
  outbox_->start();
  loop.advance(std::chrono::hours(1));
  EXPECT_LT(evaluated(2), 16u);
  EXPECT_GT(evaluated(2), 8u);
  EXPECT_EQ(kept(), 1u);
  mended = true;
  loop.advance(limits::outbox_guilty_pause_max +
               milliseconds(application.context.outbox_interval_ms));
  EXPECT_EQ(kept(), 0u);
}

TEST_F(OutboxTest, ALongBacklogOfARemovedComponentDoesNotNest) {
  application.context.outbox_batch = limits::outbox_batch_max;
  keep(1, limits::outbox_batch_max, ComponentId("shop.gone"));
  make();
  outbox_->start();
  loop.run_until_idle();
  EXPECT_EQ(kept(), static_cast<std::size_t>(limits::outbox_batch_max));
}

TEST_F(OutboxTest, ReadsAgainWhereItCannotBeRead) {
  storage.reads_fail = true;
  keep(1, 3);
  make();
  outbox_->start();
  loop.run_until_idle();
  storage.reads_fail = false;
  loop.advance(milliseconds(application.context.outbox_interval_ms));
  EXPECT_EQ(kept(), 0u);
}

// What was read before a record was published still shows it; to publish it again would make two
// messages of one.
TEST_F(OutboxTest, PublishesNothingTwiceBecauseAReadWasOld) {
  Gate reads(loop);
  storage.before_answer = [&]() -> Task<void> { return reads.wait(); };
  keep(1, 5);
  make();
  outbox_->start();
  loop.run_until_idle();
  ASSERT_EQ(reads.waiting(), 1u);
  for (std::int64_t n = 1; n <= 5; ++n) outbox_->stored(record(n));
  loop.run_until_idle();
  reads.open();
  loop.run_until_idle();
  EXPECT_EQ(waiting(), 10u);
  EXPECT_EQ(code.evaluated.size(), 5u);
}

// The disk shows a record before the answer to its commit is heard.
TEST_F(OutboxTest, PublishesNothingTwiceBecauseASweepWasFirst) {
  keep(1, 1);
  make();
  outbox_->start();
  loop.run_until_idle();
  keep(2, 1);
  code.payloads = [this](const Record& of) -> PlayedCode::Payloads {
    if (of.id == record(2).id && code.evaluated.size() == 2) outbox_->stored(record(2));
    return JsonObject{{"paid", 1}};
  };
  outbox_->start();
  loop.run_until_idle();
  EXPECT_EQ(waiting(), 4u);
  EXPECT_EQ(code.evaluated.size(), 2u);
}

// The page that is away cannot show it.
TEST_F(OutboxTest, FindsWhatDidNotFitWhileAPageWasRead) {
  const auto flood = static_cast<std::int64_t>(limits::outbox_in_hand_of_one_max);
  Gate reads(loop);
  storage.before_answer = [&]() -> Task<void> { return reads.wait(); };
  keep(1'000'000, 1);
  make();
  outbox_->start();
  loop.run_until_idle();
  ASSERT_EQ(reads.waiting(), 1u);
  keep(1, flood + 1);
  for (std::int64_t n = 1; n <= flood + 1; ++n) outbox_->stored(record(n));
  reads.open();
  loop.run_until_idle();
  EXPECT_EQ(kept(), 0u);
  EXPECT_EQ(code.evaluated.size(), static_cast<std::size_t>(flood) + 2);
}

TEST_F(OutboxTest, ClosesWhileItReadsAndPublishes) {
  Gate reads(loop);
  storage.before_answer = [&]() -> Task<void> { return reads.wait(); };
  keep(1, 10);
  make();
  outbox_->start();
  outbox_->stored(record(1));
  loop.run_until_idle();
  loop.post([&] { reads.open(); });
  loop.run_until(outbox_->close());
  outbox_.reset();
  EXPECT_EQ(kept(), 9u);
}

TEST_F(OutboxTest, LeavesABacklogAloneWhereItServesItsOwn) {
  keep(1, 3);
  make(Serves::own);
  outbox_->stored(record(2));
  loop.advance(milliseconds(60'000));
  EXPECT_EQ(kept(), 2u);
}

}  // namespace
}  // namespace toa::delivery
