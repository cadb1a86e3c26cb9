#include "delivery/delivery.hpp"

#include "base/limits.hpp"
#include "delivery/test/delivery_fixture.hpp"

namespace toa::delivery {
namespace {

class DeliveryTest : public DeliveryFixture {
 protected:
  ~DeliveryTest() override { close(); }

  void start(Serves serves = Serves::everything) {
    delivery_ = std::make_unique<Delivery>(world(serves));
    ASSERT_TRUE(loop.run_until(delivery_->start()));
  }
  void close() {
    gate_.open();
    if (delivery_) loop.run_until(delivery_->close());
    delivery_.reset();
  }

  Gate gate_{loop};
  std::unique_ptr<Delivery> delivery_;
};

TEST_F(DeliveryTest, TakesAChangeToAllWhoReceiveIt) {
  start();
  ASSERT_TRUE(loop.run_until(storage.commit({.records = {record(1)}})));
  delivery_->stored(record(1));
  loop.run_until_idle();
  EXPECT_EQ(code.calls_of(wallets), 1u);
  EXPECT_EQ(code.calls_of(mails), 1u);
  EXPECT_EQ(waiting(), 0u);
}

// A component with a few messages is served at once, however many another has, and however slow it
// is.
TEST_F(DeliveryTest, NoComponentStarvesAnother) {
  put(1, 20'000, wallets);
  put(20'001, 5, mails);
  code.reply = [this](const Call& call) -> Task<Reply> {
    if (call.endpoint.starts_with(wallets.value)) co_await gate_.wait();
    co_return Reply{Output{}};
  };
  start();
  loop.run_until_idle();
  EXPECT_EQ(code.calls_of(mails), 5u);
  EXPECT_LE(code.calls_of(wallets), limits::lane_working_max);
}

// R7
TEST_F(DeliveryTest, AFailureOfOneReceiverIsNoneOfTheOthers) {
  code.reply = [](const Call& call) -> Task<Reply> {
    if (call.endpoint.starts_with(wallets.value)) co_return Reply{Exception{.message = "away"}};
    co_return Reply{Output{}};
  };
  start();
  ASSERT_TRUE(loop.run_until(storage.commit({.records = {record(1)}})));
  delivery_->stored(record(1));
  loop.advance(std::chrono::seconds(131));
  EXPECT_EQ(code.calls_of(wallets), 5u);
  EXPECT_EQ(code.calls_of(mails), 1u);
  EXPECT_EQ(parked().size(), 1u);
}

// R303: the messages of a component that is not there wait for it.
TEST_F(DeliveryTest, MessagesOfARemovedComponentWaitForIt) {
  put(1, 3, mails);
  const auto whole = std::exchange(application.components, {});
  application.components[wallets] = whole.at(wallets);
  start();
  loop.run_until_idle();
  EXPECT_EQ(waiting(), 3u);
  EXPECT_EQ(log.messages["Messages wait for a component that the application lacks"], 1u);
  close();
  application.components = whole;
  start();
  loop.run_until_idle();
  EXPECT_EQ(code.calls_of(mails), 3u);
  EXPECT_EQ(waiting(), 0u);
}

TEST_F(DeliveryTest, GivesNumbersAboveAllThatWereGiven) {
  put(500, 1);
  start();
  Request request;
  request.id = record(9).id;
  ASSERT_TRUE(loop.run_until(
      delivery_->hand_over({.endpoint = "shop.wallets.credit", .request = std::move(request)})));
  loop.run_until_idle();
  EXPECT_EQ(code.calls_of(500), 1u);
  EXPECT_EQ(code.calls_of(501), 1u);
}

// R63, R65
TEST_F(DeliveryTest, ATaskThatCannotBeStoredIsRefused) {
  storage.fails = [](const storage::Unit& unit) { return !unit.messages.empty(); };
  start();
  Request request;
  request.id = record(9).id;
  EXPECT_FALSE(loop.run_until(
      delivery_->hand_over({.endpoint = "shop.wallets.credit", .request = std::move(request)})));
  loop.run_until_idle();
  EXPECT_TRUE(code.calls.empty());
}

TEST_F(DeliveryTest, SettlesWhenWhatItCausedIsDoneAndServesNothingElse) {
  put(1, 3);
  start(Serves::own);
  ASSERT_TRUE(loop.run_until(storage.commit({.records = {record(1)}})));
  delivery_->stored(record(1));
  loop.run_until(delivery_->settle());
  EXPECT_EQ(code.calls.size(), 2u);
  EXPECT_EQ(waiting(), 3u);
}

// A lane that closed would leave others at work; all stop at the same time.
TEST_F(DeliveryTest, TakesNothingUpOnceItIsToldToStop) {
  put(1, 2'000, wallets);
  put(2'001, 2'000, mails);
  code.reply = [this](const Call&) -> Task<Reply> {
    co_await gate_.wait();
    co_return Reply{Output{}};
  };
  start();
  loop.run_until_idle();
  delivery_->stop_taking();
  gate_.open();
  loop.advance(std::chrono::minutes(1));
  EXPECT_EQ(code.calls.size(), 2 * limits::lane_working_max);
  ASSERT_TRUE(loop.run_until(storage.commit({.records = {record(1)}})));
  delivery_->stored(record(1));
  loop.run_until_idle();
  EXPECT_EQ(code.calls.size(), 2 * limits::lane_working_max);
}

// R8: what waits for a later attempt is left waiting.
TEST_F(DeliveryTest, DoesNotWaitForLaterAttemptsToSettle) {
  code.reply = [](const Call&) -> Task<Reply> { co_return Reply{Exception{.message = "away"}}; };
  start(Serves::own);
  ASSERT_TRUE(loop.run_until(storage.commit({.records = {record(1)}})));
  delivery_->stored(record(1));
  loop.run_until(delivery_->settle());
  EXPECT_EQ(waiting(), 2u);
}

}  // namespace
}  // namespace toa::delivery
