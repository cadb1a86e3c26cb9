#include <gtest/gtest.h>

#include "operation/test/test_application.hpp"

/// What starts from a state that is accepted and not durable yet (D3, D5).
namespace toa::operation::testing {
namespace {

const std::string on_w1 = R"({"input":{"amount":1},"query":{"id":"w1"}})";

class AcceptedTest : public ::testing::Test {
 protected:
  AcceptedTest() { add_wallets(app_); }

  /// The next change of w1 starts from a balance of 50 that is not durable.
  storage::Accepted starts_early() {
    auto acceptance = std::make_shared<storage::Acceptance>(app_.loop);
    app_.storage.heads.push_back({.object = Object{.id = EntityId("w1"),
                                                   .version = Version(1),
                                                   .created = app_.clock.now(),
                                                   .updated = app_.clock.now(),
                                                   .deleted = std::nullopt,
                                                   .region = 0,
                                                   .properties = R"({"balance":50})"},
                                  .made_by = acceptance});
    return acceptance;
  }

  /// Refuses below 10, and changes nothing above.
  void add_look(const std::string& endpoint) {
    app_.add(endpoint,
             {.concurrency = Concurrency::none, .input = amount_schema, .errors = {"LOW"}},
             [](bridge::Run run, Host&) -> Task<Ran> {
               const auto balance = run.state->value().at("balance").as_int64();
               if (balance < 10) co_return Refusal{.code = "LOW", .cause = {}};
               auto seen = replies(Document::of(balance));
               seen.discard = true;
               co_return seen;
             });
  }

  /// Whatever can happen at once.
  void let_run() { app_.loop.run_until(pause(app_.loop, milliseconds(1)), ManualLoop::Idle::jump); }

  TestApplication app_;
};

TEST_F(AcceptedTest, AReplyWaitsUntilTheStateThatItSawIsDurable) {
  add_look("shop.wallets.look");
  const auto state = starts_early();
  Callers callers(app_);
  callers.call("shop.wallets.look", on_w1);
  let_run();
  EXPECT_EQ(app_.runs["shop.wallets.look"], 1);
  EXPECT_FALSE(callers.replies[0]);
  state->settle(true);
  callers.finish();
  EXPECT_EQ(shown(*callers.replies[0]), "50");
}

TEST_F(AcceptedTest, WhatWasConcludedFromAStateThatWasTakenBackIsConcludedAgain) {
  add_look("shop.wallets.look");
  const auto state = starts_early();
  Callers callers(app_);
  callers.call("shop.wallets.look", on_w1);
  let_run();
  state->settle(false);
  callers.finish();
  EXPECT_EQ(app_.runs["shop.wallets.look"], 2);
  EXPECT_EQ(shown(*callers.replies[0]), "!LOW");
}

// R169: the version of a state that does not last is no reason to refuse.
TEST_F(AcceptedTest, ARefusalOfAnotherVersionWaitsAsWell) {
  add_look("shop.wallets.look");
  const auto state = starts_early();
  Callers callers(app_);
  callers.call("shop.wallets.look", R"({"input":{"amount":1},"query":{"id":"w1","version":7}})");
  let_run();
  EXPECT_FALSE(callers.replies[0]);
  state->settle(true);
  callers.finish();
  EXPECT_EQ(shown(*callers.replies[0]), "#303");
}

TEST_F(AcceptedTest, ACallBeneathWaitsUntilTheStateIsDurable) {
  app_.add("shop.bank.pay", effect(),
           [](bridge::Run, Host&) -> Task<Ran> { co_return Returned{}; });
  app_.add("shop.wallets.buy", {.concurrency = Concurrency::none, .input = amount_schema},
           [](bridge::Run run, Host& host) -> Task<Ran> {
             co_await host.call(Where::remote, "shop.bank.pay", Document::of(JsonObject{}));
             co_return credited(run);
           });
  const auto state = starts_early();
  Callers callers(app_);
  callers.call("shop.wallets.buy", on_w1);
  let_run();
  EXPECT_EQ(app_.runs["shop.bank.pay"], 0);
  state->settle(true);
  callers.finish();
  EXPECT_EQ(app_.runs["shop.bank.pay"], 1);
}

// R85: what was not called is not counted, so that a repeat knows the call that is made then.
TEST_F(AcceptedTest, ACallOfAStateThatWasTakenBackIsNotMadeAndNotCounted) {
  app_.add("shop.bank.pay", effect(),
           [](bridge::Run, Host&) -> Task<Ran> { co_return Returned{}; });
  const Identity id = *Identity::parse("0b5d3f0e5f3c4e57b0ac52ea4d2b9c11");
  std::vector<Document> called;
  std::vector<bool> vain;
  app_.add("shop.wallets.buy", {.concurrency = Concurrency::none, .input = amount_schema},
           [&](bridge::Run run, Host& host) -> Task<Ran> {
             const auto paid = co_await host.call(Where::remote, "shop.bank.pay",
                                                  Document::of(JsonObject{{"task", true}}));
             vain.push_back(std::holds_alternative<Exception>(paid));
             co_return credited(run);
           });
  const auto state = starts_early();
  Callers callers(app_);
  callers.call("shop.wallets.buy",
               R"({"id":")" + id.hex() + R"(","input":{"amount":1},"query":{"id":"w1"}})");
  let_run();
  state->settle(false);
  callers.finish();
  EXPECT_EQ(vain, (std::vector{true, false}));
  ASSERT_EQ(app_.outgoing.tasks.size(), 1u);
  EXPECT_EQ(app_.outgoing.tasks.front().request.id,
            call_identity(id, "shop.wallets.buy", "shop.bank.pay", Ordinal(0)));
  EXPECT_EQ(balance(app_, "w1"), 1);
}

// R167: its code runs once, but not where its call was refused.
TEST_F(AcceptedTest, AnAssignmentWhoseStateWasTakenBackIsMadeAgain) {
  app_.add("shop.bank.pay", effect(),
           [](bridge::Run, Host&) -> Task<Ran> { co_return Returned{}; });
  app_.add("shop.wallets.set", assignment(), [](bridge::Run, Host& host) -> Task<Ran> {
    auto paid = co_await host.call(Where::remote, "shop.bank.pay", Document::of(JsonObject{}));
    if (auto* failed = std::get_if<Exception>(&paid)) co_return std::move(*failed);
    co_return assigns({{"balance", 7}});
  });
  app_.reply("shop.wallets.credit", R"({"id":"0b5d3f0e5f3c4e57b0ac52ea4d2b9c11",
    "input":{"amount":1},"query":{"id":"w1"}})");
  const auto state = starts_early();
  Callers callers(app_);
  callers.call("shop.wallets.set", R"({"input":{},"query":{"id":"w1"}})");
  let_run();
  state->settle(false);
  callers.finish();
  EXPECT_EQ(app_.runs["shop.wallets.set"], 2);
  EXPECT_EQ(app_.runs["shop.bank.pay"], 1);
  EXPECT_EQ(balance(app_, "w1"), 7);
}

// R85, R167: a race that is lost between does not make its calls again.
TEST_F(AcceptedTest, AnAssignmentThatRanBeforeIsNotRunAgainWhereALaterStateWasTakenBack) {
  app_.add("shop.bank.pay", effect(),
           [](bridge::Run, Host&) -> Task<Ran> { co_return Returned{}; });
  app_.add("shop.wallets.set", assignment(), [this](bridge::Run, Host& host) -> Task<Ran> {
    auto paid = co_await host.call(Where::remote, "shop.bank.pay", Document::of(JsonObject{}));
    if (auto* failed = std::get_if<Exception>(&paid)) co_return std::move(*failed);
    // Another writer comes between.
    app_.storage.lost = 1;
    co_return assigns({{"balance", 7}});
  });
  app_.reply("shop.wallets.credit", R"({"id":"0b5d3f0e5f3c4e57b0ac52ea4d2b9c11",
    "input":{"amount":1},"query":{"id":"w1"}})");
  const auto first = starts_early();
  const auto second = starts_early();
  first->settle(true);
  Callers callers(app_);
  callers.call("shop.wallets.set", R"({"input":{},"query":{"id":"w1"}})");
  let_run();
  second->settle(false);
  callers.finish();
  EXPECT_EQ(app_.runs["shop.wallets.set"], 1);
  EXPECT_EQ(app_.runs["shop.bank.pay"], 1);
  EXPECT_EQ(balance(app_, "w1"), 7);
}

TEST_F(AcceptedTest, WhatCodeTellsTheOutsideWaitsUntilTheStateIsDurable) {
  std::vector<bool> told;
  app_.add("shop.wallets.tell", {.concurrency = Concurrency::none, .input = amount_schema},
           [&](bridge::Run run, Host& host) -> Task<Ran> {
             EXPECT_EQ(run.early, told.empty());
             told.push_back(!co_await host.settle());
             co_return credited(run);
           });
  const auto state = starts_early();
  Callers callers(app_);
  callers.call("shop.wallets.tell", on_w1);
  let_run();
  EXPECT_TRUE(told.empty());
  state->settle(false);
  callers.finish();
  EXPECT_EQ(told, (std::vector{false, true}));
}

// R166: it lost no race.
TEST_F(AcceptedTest, AUnitThatFellWithItsBaseIsMadeAgainThoughNothingIsRetried) {
  app_.add("shop.wallets.plain", {.concurrency = Concurrency::none, .input = amount_schema},
           credit);
  app_.storage.taken_back = 10;
  app_.reply("shop.wallets.plain", on_w1);
  EXPECT_EQ(app_.runs["shop.wallets.plain"], 11);
  EXPECT_EQ(balance(app_, "w1"), 1);
}

TEST_F(AcceptedTest, OneThatFellOftenStartsFromADurableState) {
  app_.add("shop.wallets.plain", {.concurrency = Concurrency::none, .input = amount_schema},
           credit);
  app_.storage.taken_back = limits::taken_back_max;
  std::vector<storage::Accepted> states;
  for (int i = 0; i <= limits::taken_back_max; ++i) states.push_back(starts_early());
  for (int i = 0; i < limits::taken_back_max; ++i)
    states[static_cast<std::size_t>(i)]->settle(true);
  Callers callers(app_);
  callers.call("shop.wallets.plain", on_w1);
  let_run();
  EXPECT_EQ(app_.runs["shop.wallets.plain"], limits::taken_back_max);
  states.back()->settle(false);
  callers.finish();
  EXPECT_EQ(balance(app_, "w1"), 1);
}

}  // namespace
}  // namespace toa::operation::testing
