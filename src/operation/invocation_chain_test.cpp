#include <gtest/gtest.h>

#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

const std::string id_a = "0190a1b2c3d47e5f8091a2b3c4d5e6f7";

Document on_w1(int amount = 1) {
  return Document::of_text(R"({"input":{"amount":)" + std::to_string(amount) +
                           R"(},"query":{"id":"w1"}})");
}

/// What a call came to, as the reply of whoever made it; an exception is thrown on.
Ran passed_on(Outcome outcome) {
  if (auto* output = std::get_if<Output>(&outcome)) {
    Returned returned;
    returned.reply = std::move(output->value);
    return returned;
  }
  if (auto* refusal = std::get_if<Refusal>(&outcome)) return std::move(*refusal);
  return std::get<Exception>(std::move(outcome));
}

class ChainTest : public ::testing::Test {
 protected:
  ChainTest() { add_wallets(app_); }

  /// An operation that calls another and answers as it does.
  void add_caller(const std::string& endpoint, Declared declared, std::string called,
                  std::string request) {
    app_.add(endpoint, std::move(declared),
             [called, request](bridge::Run, Host& host) -> Task<Ran> {
               co_return passed_on(
                   co_await host.call(Where::remote, called, Document::of_text(request)));
             });
  }

  /// The identity under which a credit was last remembered.
  std::string last_identity() { return app_.storage.remembered->identity.hex(); }

  TestApplication app_;
};

const std::string credit_w1 = R"({"input":{"amount":1},"query":{"id":"w1"}})";

// D7, R80
TEST_F(ChainTest, CallsAreIdentifiedByWhoCallsWhomForTheHowManyEthTime) {
  std::vector<std::string> seen;
  app_.add("shop.orders.place", effect(), [&](bridge::Run, Host& host) -> Task<Ran> {
    for (int i = 0; i < 2; ++i) {
      co_await host.call(Where::remote, "shop.wallets.credit", on_w1());
      seen.push_back(last_identity());
    }
    co_return Returned{};
  });
  app_.reply("shop.orders.place", R"({"id":")" + id_a + "\"}");
  const auto parent = *Identity::parse(id_a);
  const auto expected = [&](std::uint64_t ordinal) {
    return call_identity(parent, "shop.orders.place", "shop.wallets.credit", Ordinal(ordinal))
        .hex();
  };
  EXPECT_EQ(seen, (std::vector{expected(0), expected(1)}));
  app_.reply("shop.orders.place", R"({"id":")" + id_a + "\"}");
  EXPECT_EQ(balance(app_, "w1"), 2);
}

TEST_F(ChainTest, AStatedIdentityIsTakenAsItIs) {
  const auto stated = "ffffffffffffffffffffffffffffffff";
  add_caller("shop.orders.place", effect(), "shop.wallets.credit",
             R"({"id":")" + std::string(stated) + R"(","input":{"amount":1},"query":{"id":"w1"}})");
  app_.reply("shop.orders.place");
  EXPECT_EQ(last_identity(), stated);
}

// Two segments and three name one endpoint, so they count as one.
TEST_F(ChainTest, ShortAndFullNamesOfAnEndpointShareTheirOrdinals) {
  app_.component("default.wallets", R"({"balance":{"type":"integer"}})", R"({"balance":0})");
  app_.add("default.wallets.credit", once(), credit);
  app_.add("shop.orders.place", effect(), [](bridge::Run, Host& host) -> Task<Ran> {
    co_await host.call(Where::remote, "wallets.credit", on_w1());
    co_await host.call(Where::remote, "default.wallets.credit", on_w1());
    co_return Returned{};
  });
  app_.reply("shop.orders.place");
  EXPECT_EQ(app_.object("default.wallets", "w1")->version, Version(2));
}

// R80: a lost worker's run is made again, and its calls are the same calls.
TEST_F(ChainTest, ARunThatStartsOverCountsItsCallsFromZero) {
  int losses = 2;
  app_.bridge.lose_when([&](const bridge::Run& run) {
    return run.caller == nullptr && run.input == std::nullopt && losses-- > 0;
  });
  add_caller("shop.orders.place", effect(), "shop.wallets.credit", credit_w1);
  const auto reply = app_.reply("shop.orders.place");
  EXPECT_EQ(app_.runs["shop.orders.place"], 3);
  EXPECT_EQ(app_.runs["shop.wallets.credit"], 1);
  EXPECT_EQ(balance(app_, "w1"), 1);
  EXPECT_NE(shown(reply).find("\"balance\":1"), std::string::npos);
}

// R85
TEST_F(ChainTest, OrdinalsAreCountedOverTheAttemptsOfOneCall) {
  app_.component("shop.orders", R"({"balance":{"type":"integer"}})", R"({"balance":0})");
  add_caller("shop.orders.relay", effect(), "shop.wallets.credit", credit_w1);
  app_.inherit("shop.orders.transit", {.input = "true"}, Inherited::transit);
  int losses = 2;
  app_.add("shop.orders.place", {}, [this, &losses](bridge::Run run, Host& host) -> Task<Ran> {
    co_await host.call(Where::local, "shop.orders.relay", Document::of_text("{}"));
    if (losses-- > 0) {
      co_await app_.call("shop.orders.transit", R"({"input":{"balance":9},"query":{"id":"o1"}})");
    }
    co_return leaves(run, "balance", 1);
  });
  app_.reply("shop.orders.place", R"({"query":{"id":"o1"}})");
  EXPECT_EQ(app_.runs["shop.orders.place"], 3);
  EXPECT_EQ(balance(app_, "w1"), 3);
}

// R98, R99, R311
TEST_F(ChainTest, WhatFailedForGoodDoesSoThroughCodeThatPassesItOn) {
  app_.add("shop.orders.crash", effect(), [](bridge::Run, Host&) -> Task<Ran> {
    co_return Exception{.message = "ended its worker twice", .for_good = true};
  });
  app_.add("shop.orders.outer", effect(), [](bridge::Run, Host& host) -> Task<Ran> {
    auto outcome = co_await host.call(Where::remote, "shop.orders.crash", Document::of_text("{}"));
    auto& failed = std::get<Exception>(outcome);
    co_return Exception{.code = failed.code, .message = failed.message};
  });
  const auto reply = app_.reply("shop.orders.outer");
  EXPECT_TRUE(std::get<Exception>(reply.outcome).for_good);
}

TEST_F(ChainTest, TooManyCallsAtOnceAreRefusedButNeverThoseBeneath) {
  app_.add("shop.orders.inner", effect(),
           [](bridge::Run, Host&) -> Task<Ran> { co_return Returned{}; });
  app_.add("shop.orders.outer", effect(), [this](bridge::Run, Host& host) -> Task<Ran> {
    co_await pause(app_.loop, milliseconds(100));
    auto outcome = co_await host.call(Where::remote, "shop.orders.inner", Document::of_text("{}"));
    if (auto* failed = std::get_if<Exception>(&outcome)) co_return std::move(*failed);
    co_return Returned{};
  });
  Callers callers(app_);
  for (std::size_t n = 0; n <= limits::invocations_max; ++n)
    callers.call("shop.orders.outer", "{}");
  callers.finish();
  EXPECT_EQ(shown(*callers.replies.back()), "#401");
  callers.replies.pop_back();
  for (const auto& reply : callers.replies) EXPECT_EQ(shown(*reply), "undefined");
  EXPECT_EQ(shown(app_.reply("shop.orders.outer")), "undefined");
}

TEST_F(ChainTest, ARetryingTransitionMayNotCallWhatIsMadeOnce) {
  app_.component("shop.orders", R"({"balance":{"type":"integer"}})", R"({"balance":0})");
  for (const auto concurrency : {Concurrency::retry, Concurrency::none}) {
    app_.add("shop.orders.place", {.concurrency = concurrency},
             [](bridge::Run run, Host& host) -> Task<Ran> {
               auto outcome = co_await host.call(Where::remote, "shop.wallets.credit", on_w1());
               if (auto* thrown = std::get_if<Exception>(&outcome)) co_return std::move(*thrown);
               co_return leaves(run, "balance", 1);
             });
    const auto reply = app_.reply("shop.orders.place", R"({"query":{"id":"o1"}})");
    const bool refused = concurrency == Concurrency::retry;
    if (refused) EXPECT_EQ(shown(reply), "#604");
    EXPECT_EQ(app_.object("shop.orders", "o1").has_value(), !refused);
    EXPECT_EQ(balance(app_, "w1"), refused ? 0 : 1);
  }
}

// R114
TEST_F(ChainTest, AReaderMayNotReachAWriter) {
  add_caller("shop.orders.sum", computation(), "shop.wallets.credit", credit_w1);
  add_caller("shop.orders.relay", effect(), "shop.wallets.credit", credit_w1);
  add_caller("shop.orders.deep", computation(), "shop.orders.sum", "{}");
  add_caller("shop.orders.mixed", computation(), "shop.orders.relay", "{}");
  add_caller("shop.orders.look", computation(), "shop.wallets.observe", R"({"query":{"id":"w1"}})");
  const auto refused = app_.reply("shop.orders.deep");
  EXPECT_EQ(shown(refused), "#602");
  EXPECT_EQ(std::get<Exception>(refused.outcome).trail,
            (Trail{"shop.orders.deep", "shop.orders.sum", "shop.wallets.credit"}));
  EXPECT_EQ(shown(app_.reply("shop.orders.mixed")), "#602");
  EXPECT_EQ(app_.runs["shop.orders.relay"], 0);
  EXPECT_EQ(app_.storage.commits, 0);
  EXPECT_NE(shown(app_.reply("shop.orders.look")).find("balance"), std::string::npos);
  EXPECT_NE(shown(app_.reply("shop.orders.relay")).find("balance"), std::string::npos);
}

// R102
TEST_F(ChainTest, ACircleIsRefusedAtTheThirdEntry) {
  add_caller("shop.orders.ping", effect(), "shop.orders.pong", "{}");
  add_caller("shop.orders.pong", effect(), "shop.orders.ping", "{}");
  const auto reply = app_.reply("shop.orders.ping");
  EXPECT_EQ(shown(reply), "#601");
  EXPECT_EQ(
      message(reply),
      "'shop.orders.ping' is hop 5 of this chain\ntrail: shop.orders.ping > shop.orders.pong > "
      "shop.orders.ping > shop.orders.pong > shop.orders.ping");
  EXPECT_EQ(app_.runs["shop.orders.ping"], 2);
}

// R103
TEST_F(ChainTest, APathThatGrowsTooLongIsRefused) {
  TestApplication app(1, {.repeats = 0, .depth = 32});
  app.add("shop.orders.self", effect(), [](bridge::Run, Host& host) -> Task<Ran> {
    co_return passed_on(
        co_await host.call(Where::local, "shop.orders.self", Document::of_text("{}")));
  });
  EXPECT_EQ(shown(app.reply("shop.orders.self")), "#601");
  EXPECT_EQ(app.runs["shop.orders.self"], 31);
}

// R106
TEST_F(ChainTest, ACircleThroughWhatIsUnchainedIsNotRefused) {
  auto unchained = effect();
  unchained.unchained = true;
  unchained.input = amount_schema;
  app_.add("shop.orders.count", unchained, [](bridge::Run run, Host& host) -> Task<Ran> {
    const auto left = run.input->value().at("amount").as_int64();
    if (left == 0) co_return replies(Document::of("done"));
    const JsonObject request{{"input", JsonObject{{"amount", left - 1}}}};
    co_return passed_on(
        co_await host.call(Where::local, "shop.orders.count", Document::of(request)));
  });
  EXPECT_EQ(shown(app_.reply("shop.orders.count", R"({"input":{"amount":50}})")), "\"done\"");
}

// R104
TEST_F(ChainTest, FiftyCallsFromOneOperationAreFiftyShortPaths) {
  app_.add("shop.orders.many", effect(), [this](bridge::Run, Host& host) -> Task<Ran> {
    for (int i = 0; i < 25; ++i) {
      co_await host.call(Where::remote, "shop.wallets.credit", on_w1());
    }
    toa::Scope scope(app_.loop);
    const auto one = [](Host& on) -> Task<void> {
      co_await on.call(Where::remote, "shop.wallets.credit", on_w1());
    };
    for (int i = 0; i < 25; ++i) scope.spawn(one(host));
    co_await scope.close();
    co_return Returned{};
  });
  app_.reply("shop.orders.many");
  EXPECT_EQ(balance(app_, "w1"), 50);
  EXPECT_EQ(app_.object("shop.wallets", "w1")->version, Version(50));
}

TEST_F(ChainTest, ACallThatCannotBeReadIsAnExceptionForItsCaller) {
  add_caller("shop.orders.place", effect(), "shop.wallets.credit", R"({"inputs":{}})");
  add_caller("shop.orders.lost", effect(), "shop.wallets.burn", "{}");
  EXPECT_EQ(shown(app_.reply("shop.orders.place")), "#202");
  EXPECT_EQ(shown(app_.reply("shop.orders.lost")), "#402");
}

}  // namespace
}  // namespace toa::operation::testing
