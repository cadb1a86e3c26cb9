#include <gtest/gtest.h>

#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

const std::string on_w1 = R"({"input":{"amount":1},"query":{"id":"w1"}})";

Declared retrying() {
  return {.input = amount_schema};
}
Declared unretried() {
  return {.concurrency = Concurrency::none, .input = amount_schema};
}

class RaceTest : public ::testing::Test {
 protected:
  RaceTest() { add_wallets(app_); }

  /// A transition that leaves its turn, so that another may run beside it, and takes `ms`.
  void add_slow(const std::string& endpoint, Declared declared, int ms) {
    app_.add(endpoint, std::move(declared), [this, ms](bridge::Run run, Host& host) -> Task<Ran> {
      host.leave();
      co_await pause(app_.loop, milliseconds(ms));
      co_return credited(run);
    });
  }

  TestApplication app_;
};

// R214, R166
TEST_F(RaceTest, OfTwoRetryingTransitionsTheLoserRunsAgain) {
  add_slow("shop.wallets.slow", retrying(), 10);
  Callers callers(app_);
  callers.call("shop.wallets.slow", on_w1);
  callers.call("shop.wallets.slow", on_w1);
  callers.finish();
  EXPECT_EQ(app_.runs["shop.wallets.slow"], 3);
  EXPECT_EQ(balance(app_, "w1"), 2);
  EXPECT_EQ(app_.object("shop.wallets", "w1")->version, Version(2));
}

// R166
TEST_F(RaceTest, ATransitionThatDoesNotRetryFailsWhereItLost) {
  add_slow("shop.wallets.slow", unretried(), 10);
  Callers callers(app_);
  callers.call("shop.wallets.slow", on_w1);
  callers.call("shop.wallets.slow", on_w1);
  callers.finish();
  EXPECT_EQ(shown(*callers.replies[1]), "#304");
  EXPECT_EQ(message(*callers.replies[1]),
            "'shop.wallets.slow' lost 1 race for its object to other writers");
  EXPECT_EQ(balance(app_, "w1"), 1);
}

// D5: what takes turns does not race at all.
TEST_F(RaceTest, TransitionsThatTakeTurnsDoNotRunToLose) {
  app_.add("shop.wallets.plain", unretried(), credit);
  app_.storage.delays_up_to(milliseconds(3));
  Callers callers(app_);
  for (int i = 0; i < 20; ++i) callers.call("shop.wallets.plain", on_w1);
  callers.finish();
  EXPECT_EQ(app_.runs["shop.wallets.plain"], 20);
  EXPECT_EQ(balance(app_, "w1"), 20);
}

TEST_F(RaceTest, OneThatAlwaysLosesGivesUpAfterThirtyTwoAttempts) {
  app_.add("shop.wallets.loses", retrying(), [this](bridge::Run run, Host& host) -> Task<Ran> {
    host.leave();
    // What comes from outside passes no turn of ours: a transition that is not queued on this id.
    storage::Unit unit;
    auto object = **co_await app_.storage.load(ComponentId("shop.wallets"), EntityId("w1"));
    const auto base = object.version;
    object.version = Version(base.value + 1);
    unit.writes.push_back({ComponentId("shop.wallets"), base, std::move(object)});
    co_await app_.storage.commit(std::move(unit));
    co_return credited(run);
  });
  app_.reply("shop.wallets.credit", on_w1);
  const auto reply = app_.reply("shop.wallets.loses", on_w1);
  EXPECT_EQ(shown(reply), "#304");
  EXPECT_EQ(app_.runs["shop.wallets.loses"], 32);
  EXPECT_EQ(balance(app_, "w1"), 1);
}

// D5: after three lost races it keeps quick writers away until it is done.
TEST_F(RaceTest, ASlowTransitionPrevailsAmongQuickOnes) {
  add_slow("shop.wallets.slow", retrying(), 50);
  Callers callers(app_);
  callers.call("shop.wallets.slow", on_w1);
  const auto quick = [&]() -> Task<void> {
    for (int i = 0; i < 400; ++i) {
      co_await app_.call("shop.wallets.credit", on_w1);
      co_await pause(app_.loop, milliseconds(5));
    }
  };
  toa::Scope scope(app_.loop);
  scope.spawn(quick());
  callers.finish();
  app_.loop.run_until(scope.close(), ManualLoop::Idle::jump);
  EXPECT_LE(app_.runs["shop.wallets.slow"], 4);
  EXPECT_EQ(balance(app_, "w1"), 401);
}

// D5: what runs beneath a holder passes it, so that it does not wait for itself.
TEST_F(RaceTest, AHolderLetsWhatRunsBeneathItPass) {
  app_.add("shop.wallets.look", {}, [](bridge::Run run, Host&) -> Task<Ran> {
    auto ran = leaves(run, "balance", 0);
    ran.discard = true;
    co_return ran;
  });
  int losses = limits::races_lost_before_hold;
  milliseconds waited{};
  app_.add("shop.wallets.racy", retrying(), [&](bridge::Run run, Host& host) -> Task<Ran> {
    host.leave();
    if (losses-- > 0) {
      co_await app_.call("shop.wallets.credit", on_w1);
    } else {
      const auto started = app_.loop.now();
      co_await host.call(Where::local, "shop.wallets.look",
                         Document::of_text(R"({"query":{"id":"w1"}})"));
      waited = std::chrono::duration_cast<milliseconds>(app_.loop.now() - started);
    }
    co_return credited(run);
  });
  app_.reply("shop.wallets.racy", on_w1);
  EXPECT_EQ(app_.runs["shop.wallets.racy"], 4);
  EXPECT_EQ(app_.runs["shop.wallets.look"], 1);
  EXPECT_LT(waited, limits::turn_max);
  EXPECT_EQ(balance(app_, "w1"), 4);
}

// D5
TEST_F(RaceTest, OneThatLostToAWriteBeneathItselfFailsAtOnce) {
  add_slow("shop.wallets.add", retrying(), 1);
  app_.add("shop.orders.relay", effect(), [](bridge::Run, Host& host) -> Task<Ran> {
    co_await host.call(Where::remote, "shop.wallets.add", Document::of_text(on_w1));
    co_return Returned{};
  });
  app_.add("shop.wallets.outer", retrying(), [](bridge::Run run, Host& host) -> Task<Ran> {
    co_await host.call(Where::remote, "shop.orders.relay", Document::of_text("{}"));
    co_return credited(run);
  });
  const auto reply = app_.reply("shop.wallets.outer", on_w1);
  EXPECT_EQ(shown(reply), "#304");
  EXPECT_EQ(app_.runs["shop.wallets.outer"], 1);
  EXPECT_EQ(balance(app_, "w1"), 1);
  // Behind a message, each attempt would add once more.
  const auto& failed = std::get<Exception>(reply.outcome);
  EXPECT_TRUE(failed.for_good);
  EXPECT_TRUE(failed.message.contains("shop.wallets.add")) << failed.message;
}

TEST_F(RaceTest, OneThatLostToACallBeneathWhichIsOnceMayBeTriedAgain) {
  auto declared = once();
  app_.add("shop.wallets.add", declared,
           [](bridge::Run run, Host&) -> Task<Ran> { co_return credited(run); });
  app_.add("shop.wallets.outer", unretried(), [](bridge::Run run, Host& host) -> Task<Ran> {
    co_await host.call(Where::remote, "shop.wallets.add", Document::of_text(on_w1));
    co_return credited(run);
  });
  const std::string request =
      R"({"id":"0190a1b2c3d47e5f8091a2b3c4d5e6f7","input":{"amount":1},"query":{"id":"w1"}})";
  const auto reply = app_.reply("shop.wallets.outer", request);
  EXPECT_EQ(shown(reply), "#304");
  EXPECT_FALSE(std::get<Exception>(reply.outcome).for_good);
  app_.reply("shop.wallets.outer", request);
  EXPECT_EQ(balance(app_, "w1"), 2);
}

TEST_F(RaceTest, AWriteBeneathToAnotherObjectHarmsNothing) {
  app_.add("shop.wallets.add", retrying(), credit);
  app_.add("shop.wallets.outer", retrying(), [](bridge::Run run, Host& host) -> Task<Ran> {
    co_await host.call(Where::remote, "shop.wallets.add",
                       Document::of_text(R"({"input":{"amount":4},"query":{"id":"w2"}})"));
    co_return credited(run);
  });
  app_.reply("shop.wallets.outer", on_w1);
  EXPECT_EQ(balance(app_, "w1"), 1);
  EXPECT_EQ(balance(app_, "w2"), 4);
}

// Two that call each other's object: neither keeps its turn while it waits.
TEST_F(RaceTest, CrossedCallsDoNotWaitForEachOther) {
  app_.add("shop.wallets.add", retrying(), credit);
  app_.add("shop.wallets.cross", retrying(), [](bridge::Run run, Host& host) -> Task<Ran> {
    const auto* other = run.state->value().at("id").as_string() == "w1" ? "w2" : "w1";
    co_await host.call(Where::remote, "shop.wallets.add",
                       Document::of_text(R"({"input":{"amount":10},"query":{"id":")" +
                                         std::string(other) + "\"}}"));
    co_return credited(run);
  });
  Callers callers(app_);
  callers.call("shop.wallets.cross", on_w1);
  callers.call("shop.wallets.cross", R"({"input":{"amount":1},"query":{"id":"w2"}})");
  callers.finish();
  EXPECT_LT(app_.loop.now(), limits::turn_max);
  for (const auto& reply : callers.replies) {
    EXPECT_NE(shown(*reply).find("balance"), std::string::npos) << shown(*reply);
  }
}

}  // namespace
}  // namespace toa::operation::testing
