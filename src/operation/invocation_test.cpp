#include "operation/invocation.hpp"

#include <gtest/gtest.h>

#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

class InvocationTest : public ::testing::Test {
 protected:
  InvocationTest() { add_wallets(app_); }

  std::string shown_reply(std::string endpoint, std::string_view request = "{}") {
    return shown(app_.reply(std::move(endpoint), request));
  }

  TestApplication app_;
};

Task<Ran> returns_state(bridge::Run run, Host&) {
  co_return leaves(run, "balance", 7);
}

// spec core 3.3
TEST_F(InvocationTest, AnAssociatedObjectIsItsBlankUntilItIsWritten) {
  const auto reply = app_.reply("shop.wallets.observe", R"({"query":{"id":"w1"}})");
  const auto& state = std::get<Output>(reply.outcome).value->value().as_object();
  EXPECT_EQ(state.at("balance").as_int64(), 0);
  EXPECT_EQ(state.at("VERSION").as_int64(), 0);
  EXPECT_FALSE(app_.object("shop.wallets", "w1"));

  app_.reply("shop.wallets.credit", R"({"input":{"amount":5},"query":{"id":"w1"}})");
  const auto written = app_.object("shop.wallets", "w1");
  EXPECT_EQ(written->version, Version(1));
  EXPECT_EQ(written->created, written->updated);
}

// R224: an associated object that another wrote meanwhile is found as it is.
TEST_F(InvocationTest, TwoFirstWritesOfAnAssociatedObjectAreBothKept) {
  Callers callers(app_);
  callers.call("shop.wallets.credit", R"({"input":{"amount":5},"query":{"id":"w1"}})");
  callers.call("shop.wallets.credit", R"({"input":{"amount":6},"query":{"id":"w1"}})");
  callers.finish();
  EXPECT_EQ(balance(app_, "w1"), 11);
  EXPECT_EQ(app_.object("shop.wallets", "w1")->version, Version(2));
}

// spec core 3.1
TEST_F(InvocationTest, ATransitionWithoutAQueryCreatesAnObject) {
  const auto reply = app_.reply("shop.wallets.transit", R"({"input":{"balance":3}})");
  const auto& state = std::get<Output>(reply.outcome).value->value().as_object();
  const std::string id(state.at("id").as_string());
  EXPECT_TRUE(Identity::parse(id)) << id;
  EXPECT_EQ(state.at("VERSION").as_int64(), 1);
  EXPECT_EQ(balance(app_, id), 3);
}

TEST_F(InvocationTest, AnIdThatIsTakenFailsAtOnceAndKeepsTheFirst) {
  auto& tags =
      app_.component("shop.tags", R"({"id":{"type":"string"},"balance":{"type":"integer"}})");
  tags.entity->associated = false;
  app_.add("shop.tags.create", {.query = QueryRule::must_not},
           [](bridge::Run run, Host&) -> Task<Ran> {
             auto state = run.state->value().as_object();
             state["id"] = "AB1";
             co_return leaves(state);
           });
  EXPECT_NE(shown_reply("shop.tags.create").find("\"AB1\""), std::string::npos);
  const auto second = app_.reply("shop.tags.create");
  EXPECT_EQ(shown(second), "#304");
  EXPECT_EQ(message(second), "shop.tags 'AB1' exists already");
  EXPECT_EQ(app_.runs["shop.tags.create"], 2);
  EXPECT_EQ(app_.object("shop.tags", "AB1")->version, Version(1));
}

// spec core 3.2
TEST_F(InvocationTest, WhatSelectsNothingIsNotFoundByWritersAndNullForReaders) {
  app_.component("shop.orders", "{}").entity->associated = false;
  app_.inherit("shop.orders.observe", observation(), Inherited::observe);
  app_.add("shop.orders.change", {}, returns_state);
  const auto reply = app_.reply("shop.orders.change", R"({"query":{"id":"o1"}})");
  EXPECT_EQ(shown(reply), "#302");
  EXPECT_EQ(message(reply), "shop.orders 'o1' not found");
  EXPECT_EQ(app_.runs["shop.orders.change"], 0);
  EXPECT_EQ(shown_reply("shop.orders.observe", R"({"query":{"id":"o1"}})"), "null");
  EXPECT_EQ(shown_reply("shop.orders.observe"), "null");
}

// R169
TEST_F(InvocationTest, AnotherVersionThanTheOneAskedForIsRefused) {
  app_.reply("shop.wallets.transit", R"({"input":{"balance":1},"query":{"id":"w1"}})");
  const auto at = [&](int version) {
    return app_.reply(
        "shop.wallets.transit",
        R"({"input":{"balance":2},"query":{"id":"w1","version":)" + std::to_string(version) + "}}");
  };
  EXPECT_EQ(shown(at(0)), "#303");
  EXPECT_EQ(message(at(2)), "shop.wallets 'w1' is at version 1, not 2");
  EXPECT_EQ(std::get<Output>(at(1).outcome).value->value().at("VERSION").as_int64(), 2);
}

// spec core 3.5
TEST_F(InvocationTest, ADeletedObjectIsSeenOnlyByWhomAsksForIt) {
  app_.reply("shop.wallets.transit", R"({"input":{"balance":1},"query":{"id":"w1"}})");
  const auto mark = [&](Json value) {
    app_.add("shop.wallets.mark", {}, [value](bridge::Run run, Host&) -> Task<Ran> {
      co_return leaves(run, "DELETED", value);
    });
  };
  mark(1'000);
  app_.reply("shop.wallets.mark", R"({"query":{"id":"w1"}})");
  EXPECT_EQ(shown_reply("shop.wallets.observe", R"({"query":{"id":"w1"}})"), "null");
  EXPECT_EQ(shown_reply("shop.wallets.mark", R"({"query":{"id":"w1"}})"), "#302");
  const auto seen = app_.reply("shop.wallets.observe", R"({"query":{"id":"w1","deleted":true}})");
  EXPECT_EQ(std::get<Output>(seen.outcome).value->value().at("DELETED").as_int64(), 1'000);

  mark(nullptr);
  app_.reply("shop.wallets.mark", R"({"query":{"id":"w1","deleted":true}})");
  EXPECT_NE(shown_reply("shop.wallets.observe", R"({"query":{"id":"w1"}})"), "null");
}

// R170
TEST_F(InvocationTest, WhatIsDiscardedIsAnsweredAndNotStored) {
  app_.add("shop.wallets.look", {}, [](bridge::Run run, Host&) -> Task<Ran> {
    auto ran = leaves(run, "balance", "not even valid");
    ran.discard = true;
    co_return ran;
  });
  const auto reply = app_.reply("shop.wallets.look", R"({"query":{"id":"w1"}})");
  EXPECT_EQ(std::get<Output>(reply.outcome).value->value().at("balance").as_string(),
            "not even valid");
  EXPECT_FALSE(app_.object("shop.wallets", "w1"));
}

TEST_F(InvocationTest, RefusalsAndExceptionsChangeNothing) {
  app_.add("shop.wallets.refuse", {.errors = {"NO"}},
           [](bridge::Run, Host&) -> Task<Ran> { co_return Refusal{"NO", {}}; });
  app_.add("shop.wallets.throw", {},
           [](bridge::Run, Host&) -> Task<Ran> { co_return Exception{.message = "x"}; });
  EXPECT_EQ(shown_reply("shop.wallets.refuse", R"({"query":{"id":"w1"}})"), "!NO");
  EXPECT_EQ(shown_reply("shop.wallets.throw", R"({"query":{"id":"w1"}})"), "#0");
  EXPECT_EQ(app_.storage.commits, 0);
}

TEST_F(InvocationTest, AStateThatDoesNotFitTheEntityIsNotStored) {
  const auto reply =
      app_.reply("shop.wallets.transit", R"({"input":{"balance":"x"},"query":{"id":"w1"}})");
  EXPECT_EQ(shown(reply), "#212");
  EXPECT_EQ(app_.storage.commits, 0);
}

// A change is not kept where its caller hears of an exception.
TEST_F(InvocationTest, AReplyThatDoesNotFitItsOutputStoresNothing) {
  auto declared = once();
  declared.output = R"({"type":"string"})";
  app_.add("shop.wallets.wrong", declared, credit);
  declared.once_window_s.reset();
  app_.add("shop.wallets.wrongly", declared, credit);
  for (const auto* endpoint : {"shop.wallets.wrong", "shop.wallets.wrongly"}) {
    EXPECT_EQ(shown_reply(endpoint, R"({"input":{"amount":5},"query":{"id":"w1"}})"), "#211");
  }
  EXPECT_EQ(app_.storage.commits, 0);
}

TEST_F(InvocationTest, TheInputIsCheckedBeforeAnythingIsRead) {
  const auto reply =
      app_.reply("shop.wallets.credit", R"({"input":{"amount":"x"},"query":{"id":"w1"}})");
  EXPECT_EQ(shown(reply), "#202");
  EXPECT_EQ(app_.storage.loads, 0);
  EXPECT_EQ(app_.runs["shop.wallets.credit"], 0);
}

TEST_F(InvocationTest, TellsNothingFromNull) {
  app_.add("shop.wallets.silent", computation(),
           [](bridge::Run, Host&) -> Task<Ran> { co_return Returned{}; });
  app_.add("shop.wallets.null", computation(),
           [](bridge::Run, Host&) -> Task<Ran> { co_return replies(Document::of(nullptr)); });
  EXPECT_EQ(shown_reply("shop.wallets.silent"), "undefined");
  EXPECT_EQ(shown_reply("shop.wallets.null"), "null");
}

TEST_F(InvocationTest, TheReplyIsTrimmedToWhatTheCallerAskedFor) {
  EXPECT_EQ(shown_reply("shop.wallets.transit",
                        R"({"input":{"balance":4},"query":{"id":"w1"},"output":["balance"]})"),
            R"({"balance":4})");
  EXPECT_EQ(
      shown_reply("shop.wallets.observe", R"({"query":{"id":"w1","projection":["balance"]}})"),
      R"({"id":"w1","balance":4})");
}

TEST_F(InvocationTest, AStorageThatIsAwayIsAnExceptionThatMayPass) {
  app_.storage.fails_one_in(1);
  for (const auto* endpoint : {"shop.wallets.credit", "shop.wallets.transit"}) {
    const auto reply = app_.reply(endpoint, R"({"input":{"amount":1},"query":{"id":"w1"}})");
    EXPECT_EQ(shown(reply), "#0");
    EXPECT_EQ(message(reply), "the storage is away");
  }
}

// spec core 2.1
TEST_F(InvocationTest, AnEntityWithoutAStorageIsValidatedAndForgotten) {
  app_.component("shop.echo", R"({"balance":{"type":"integer"}})").entity->storage = "";
  app_.inherit("shop.echo.transit", {.input = "true"}, Inherited::transit);
  EXPECT_NE(shown_reply("shop.echo.transit", R"({"input":{"balance":4},"query":{"id":"e1"}})")
                .find("\"VERSION\":1"),
            std::string::npos);
  EXPECT_EQ(shown_reply("shop.echo.transit", R"({"input":{"balance":""},"query":{"id":"e1"}})"),
            "#212");
  EXPECT_FALSE(app_.object("shop.echo", "e1"));
}

TEST_F(InvocationTest, AnEndpointThatIsNotThereIsNamed) {
  const auto why = [&](const char* endpoint) {
    const auto reply = app_.reply(endpoint);
    EXPECT_EQ(shown(reply), "#402");
    return message(reply);
  };
  EXPECT_EQ(why("shop.wallets.burn"), "'shop.wallets' has no operation 'burn'");
  EXPECT_EQ(why("wallets.burn"),
            "'wallets.burn': the application has no component 'default.wallets'");
  EXPECT_NE(why("burn").find("is no endpoint"), std::string::npos);
}

}  // namespace
}  // namespace toa::operation::testing
