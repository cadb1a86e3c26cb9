#include <gtest/gtest.h>

#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

class GuardTest : public ::testing::Test {
 protected:
  GuardTest() {
    add_wallets(app_);
    app_.inherit("shop.wallets.assign", assignment(), Inherited::assign);
    app_.inherit("shop.wallets.terminate", assignment(), Inherited::terminate);
    app_.guard("shop.wallets", [this](const Json& state, const Json& origin) {
      seen_.push_back(json::print(origin));
      const bool grown =
          origin.is_null() || state.at("balance").as_int64() >= origin.at("balance").as_int64();
      return grown ? std::nullopt : std::optional<std::string>("grows");
    });
  }

  std::string transit(int balance) {
    return R"({"query":{"id":"w1"},"input":{"balance":)" + std::to_string(balance) + "}}";
  }

  TestApplication app_;
  std::vector<std::string> seen_;
};

// spec core 8.1, R222
TEST_F(GuardTest, ARefusedChangeIsNotStoredAndTellsTheGuardAndTheState) {
  app_.reply("shop.wallets.transit", transit(5));
  const auto reply = app_.reply("shop.wallets.transit", transit(4));
  EXPECT_EQ(shown(reply), "#213");
  const auto& refused = std::get<Exception>(reply.outcome);
  EXPECT_EQ(refused.message, "grows");
  EXPECT_EQ(refused.cause->at("balance"), 4);
  EXPECT_EQ(refused.cause->at("id"), "w1");
  EXPECT_EQ(balance(app_, "w1"), 5);
  EXPECT_EQ(seen_[0], "null") << "an object that was never written has no origin";
}

TEST_F(GuardTest, EveryOperationThatWritesIsGuarded) {
  app_.reply("shop.wallets.transit", transit(5));
  EXPECT_EQ(shown(app_.reply("shop.wallets.assign", transit(4))), "#213");
  app_.reply("shop.wallets.terminate", R"({"query":{"id":"w1"},"input":{}})");
  EXPECT_EQ(seen_.size(), 3u);
  EXPECT_TRUE(app_.object("shop.wallets", "w1")->deleted);
}

TEST_F(GuardTest, WhatIsDiscardedIsNotGuarded) {
  app_.add("shop.wallets.drop", {}, [](bridge::Run, Host&) -> Task<Ran> {
    Returned returned;
    returned.discard = true;
    co_return returned;
  });
  EXPECT_EQ(shown(app_.reply("shop.wallets.drop", R"({"query":{"id":"w1"}})")), "undefined");
  EXPECT_TRUE(seen_.empty());
}

// An entity that does not fit is refused before any guard sees it.
TEST_F(GuardTest, GuardsSeeOnlyWhatFitsTheEntity) {
  const auto request = R"({"query":{"id":"w1"},"input":{"balance":"much"}})";
  EXPECT_EQ(shown(app_.reply("shop.wallets.transit", request)), "#212");
  EXPECT_TRUE(seen_.empty());
}

// Once, R88: a refused change leaves no record of its call.
TEST_F(GuardTest, ARefusedCallIsNotRemembered) {
  app_.reply("shop.wallets.transit", transit(5));
  const auto credit = [&](int amount) {
    return app_.reply("shop.wallets.credit",
                      R"({"id":"00000000000000000000000000000001","query":{"id":"w1"},)"
                      R"("input":{"amount":)" +
                          std::to_string(amount) + "}}");
  };
  EXPECT_EQ(shown(credit(-1)), "#213");
  EXPECT_NE(shown(credit(1)), "#213");
  EXPECT_EQ(balance(app_, "w1"), 6);
}

TEST_F(GuardTest, OneThatThrowsIsAnExceptionOfTheCall) {
  app_.guard("shop.wallets",
             [](const Json&, const Json&) -> std::expected<std::optional<std::string>, Exception> {
               return std::unexpected(Exception{.message = "Guard 'grows': broken"});
             });
  const auto reply = app_.reply("shop.wallets.transit", transit(5));
  EXPECT_EQ(shown(reply), "#0");
  EXPECT_EQ(message(reply), "Guard 'grows': broken");
  EXPECT_FALSE(app_.object("shop.wallets", "w1"));
}

// spec core 3.4: all or nothing
TEST_F(GuardTest, OneRefusedEntryStoresNone) {
  app_.reply("shop.wallets.transit", transit(5));
  app_.reply("shop.wallets.transit", R"({"query":{"id":"w2"},"input":{"balance":9}})");
  app_.add("shop.wallets.level", {.scope = Scope::entries},
           [](bridge::Run run, Host&) -> Task<Ran> {
             auto states = run.state->value().as_array();
             for (auto& state : states) state.as_object()["balance"] = 7;
             co_return leaves_all(std::move(states));
           });
  const auto reply =
      app_.reply("shop.wallets.level", R"({"query":{"limit":5,"sort":["balance"]}})");
  EXPECT_EQ(shown(reply), "#213");
  EXPECT_EQ(std::get<Exception>(reply.outcome).cause->at("id"), "w2");
  EXPECT_EQ(balance(app_, "w1"), 5);
}

}  // namespace
}  // namespace toa::operation::testing
