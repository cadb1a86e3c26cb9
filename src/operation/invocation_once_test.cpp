#include <gtest/gtest.h>

#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

const std::string id_a = "0190a1b2c3d47e5f8091a2b3c4d5e6f7";
const std::string id_b = "0190a1b2c3d47e5f8091a2b3c4d5e6f8";

std::string request(const std::string& id, int amount = 5, const std::string& more = "") {
  return R"({"id":")" + id + R"(","input":{"amount":)" + std::to_string(amount) +
         R"(},"query":{"id":"w1"})" + more + "}";
}

class OnceTest : public ::testing::Test {
 protected:
  OnceTest() { add_wallets(app_); }

  Reply credit_with(const std::string& id, int amount = 5, const std::string& more = "") {
    return app_.reply("shop.wallets.credit", request(id, amount, more));
  }

  /// An operation on w1 whose n-th run comes to `outcomes[n]`.
  void add_changing(std::vector<Ran> outcomes) {
    auto declared = once();
    declared.errors = {"NO"};
    app_.add("shop.wallets.change", declared, [this, outcomes](bridge::Run, Host&) -> Task<Ran> {
      co_await pause(app_.loop, milliseconds(10));
      co_return outcomes.at(static_cast<std::size_t>(app_.runs["shop.wallets.change"] - 1));
    });
  }

  TestApplication app_;
};

Returned stored(std::optional<std::string> reply) {
  Returned returned;
  if (reply) returned.reply = Document::of_text(std::move(*reply));
  returned.state = Document::of_text(R"({"id":"w1","balance":1})");
  return returned;
}

// R86, R309
TEST_F(OnceTest, ARepeatGetsTheFirstReplyAndChangesNothing) {
  const auto first = credit_with(id_a);
  const auto second = credit_with(id_a);
  EXPECT_EQ(shown(first), shown(second));
  EXPECT_EQ(first.replay, Replay::no);
  EXPECT_EQ(second.replay, Replay::yes);
  EXPECT_EQ(app_.runs["shop.wallets.credit"], 1);
  EXPECT_EQ(app_.storage.commits, 1);
  EXPECT_EQ(balance(app_, "w1"), 5);
  credit_with(id_b);
  EXPECT_EQ(balance(app_, "w1"), 10);
}

// R82: another body under the same identity is the same call, also one that would be refused.
TEST_F(OnceTest, TheContentIsNoPartOfTheIdentity) {
  const auto first = credit_with(id_a, 5);
  EXPECT_EQ(shown(credit_with(id_a, 700)), shown(first));
  const auto invalid =
      app_.reply("shop.wallets.credit",
                 R"({"id":")" + id_a + R"(","input":{"amount":"x"},"query":{"id":"w1"}})");
  EXPECT_EQ(shown(invalid), shown(first));
  EXPECT_EQ(balance(app_, "w1"), 5);
}

// R309
TEST_F(OnceTest, CallsWithoutAnIdentityAreDifferentCalls) {
  app_.reply("shop.wallets.credit", R"({"input":{"amount":5},"query":{"id":"w1"}})");
  app_.reply("shop.wallets.credit", R"({"input":{"amount":5},"query":{"id":"w1"}})");
  EXPECT_EQ(balance(app_, "w1"), 10);
}

// D11
TEST_F(OnceTest, TheRecordedReplyIsTheOneBeforeTrimming) {
  EXPECT_EQ(shown(credit_with(id_a, 5, R"(,"output":["balance"])")), R"({"balance":5})");
  EXPECT_NE(app_.storage.remembered->reply->find("\"VERSION\":1"), std::string::npos);
  EXPECT_EQ(shown(credit_with(id_a, 5, R"(,"output":["VERSION"])")), R"({"VERSION":1})");
  EXPECT_EQ(shown(credit_with(id_a)), *app_.storage.remembered->reply);
}

TEST_F(OnceTest, TellsAFirstReplyOfNothingFromNull) {
  add_changing({stored({}), stored("null")});
  for (const auto& [id, expected] : {std::pair(id_a, "undefined"), std::pair(id_b, "null")}) {
    EXPECT_EQ(shown(app_.reply("shop.wallets.change", request(id))), expected);
    const auto again = app_.reply("shop.wallets.change", request(id));
    EXPECT_EQ(shown(again), expected);
    EXPECT_EQ(again.replay, Replay::yes);
  }
}

// R88, R310
TEST_F(OnceTest, RefusalsExceptionsAndDiscardsLeaveNoRecord) {
  auto discarded = replies(Document::of_text("\"discarded\""));
  discarded.discard = true;
  add_changing({Refusal{"NO", {}}, Exception{}, discarded, stored("\"kept\"")});
  for (const auto* expected : {"!NO", "#0", "\"discarded\"", "\"kept\"", "\"kept\""}) {
    EXPECT_EQ(shown(app_.reply("shop.wallets.change", request(id_a))), expected);
  }
  EXPECT_EQ(app_.runs["shop.wallets.change"], 4);
  EXPECT_EQ(app_.object("shop.wallets", "w1")->version, Version(1));
}

// R87
TEST_F(OnceTest, SixteenRepeatsAtOnceRunTheAlgorithmOnce) {
  app_.storage.delays_up_to(milliseconds(20));
  Callers callers(app_);
  for (int i = 0; i < 16; ++i) callers.call("shop.wallets.credit", request(id_a));
  callers.finish();
  for (const auto& reply : callers.replies) EXPECT_EQ(shown(*reply), shown(*callers.replies[0]));
  EXPECT_EQ(app_.runs["shop.wallets.credit"], 1);
  EXPECT_EQ(app_.storage.commits, 1);
  EXPECT_EQ(app_.storage.recalls, 1);
  EXPECT_EQ(balance(app_, "w1"), 5);
}

TEST_F(OnceTest, OneOfTheWaitingRunsWhereTheFirstFails) {
  add_changing({Exception{}, Refusal{"NO", {}}, stored("\"third\"")});
  Callers callers(app_);
  for (int i = 0; i < 16; ++i) callers.call("shop.wallets.change", request(id_a));
  callers.finish();
  EXPECT_EQ(app_.runs["shop.wallets.change"], 3);
  EXPECT_EQ(shown(*callers.replies[0]), "#0");
  EXPECT_EQ(shown(*callers.replies[1]), "!NO");
  for (std::size_t i = 2; i < 16; ++i) EXPECT_EQ(shown(*callers.replies[i]), "\"third\"");
}

// R87: both run, the commit admits one, and the other is answered by its record.
TEST_F(OnceTest, ARepeatThatWaitedItsTimeRunsAndIsAnsweredFromTheRecord) {
  app_.add("shop.wallets.slow", once(), [this](bridge::Run run, Host& host) -> Task<Ran> {
    host.leave();
    co_await pause(app_.loop, milliseconds(8'000));
    co_return credited(run);
  });
  Callers callers(app_);
  callers.call("shop.wallets.slow", request(id_a));
  callers.call("shop.wallets.slow", request(id_a));
  callers.finish();
  EXPECT_EQ(app_.runs["shop.wallets.slow"], 2);
  EXPECT_EQ(shown(*callers.replies[0]), shown(*callers.replies[1]));
  EXPECT_EQ(callers.replies[1]->replay, Replay::yes);
  EXPECT_EQ(app_.object("shop.wallets", "w1")->version, Version(1));
  EXPECT_EQ(balance(app_, "w1"), 5);
}

// R87: what it is refused for may be what the first left meanwhile.
TEST_F(OnceTest, ARepeatThatIsRefusedIsAnsweredFromTheRecordThatTheFirstLeftMeanwhile) {
  Returned discarded;
  discarded.discard = true;
  const std::vector<Ran> refusals = {Refusal{"NO", {}}, Exception{.message = "spent"}, discarded};
  for (std::size_t n = 0; n < refusals.size(); ++n) {
    const auto endpoint = "shop.wallets.slow" + std::to_string(n);
    auto declared = once();
    declared.errors = {"NO"};
    app_.add(endpoint, declared,
             [this, &refusals, n, endpoint](bridge::Run run, Host& host) -> Task<Ran> {
               host.leave();
               const bool first = app_.runs[endpoint] == 1;
               co_await pause(app_.loop, first ? milliseconds(5'100) : milliseconds(200));
               if (first) co_return credited(run);
               co_return refusals[n];
             });
    Callers callers(app_);
    callers.call(endpoint, request(id_a));
    callers.call(endpoint, request(id_a));
    callers.finish();
    EXPECT_EQ(app_.runs[endpoint], 2);
    EXPECT_EQ(shown(*callers.replies[1]), shown(*callers.replies[0]));
    EXPECT_EQ(callers.replies[0]->replay, Replay::no);
    EXPECT_EQ(callers.replies[1]->replay, Replay::yes);
  }
}

// R89
TEST_F(OnceTest, ATransitionThatLostRacesLeavesOneRecord) {
  int losses = 4;
  app_.add("shop.wallets.racy", once(), [this, &losses](bridge::Run run, Host&) -> Task<Ran> {
    if (losses-- > 0)
      co_await app_.call("shop.wallets.transit",
                         R"({"input":{"balance":100},"query":{"id":"w1"}})");
    co_return credited(run);
  });
  const auto first = app_.reply("shop.wallets.racy", request(id_a));
  EXPECT_EQ(app_.runs["shop.wallets.racy"], 5);
  EXPECT_EQ(app_.object("shop.wallets", "w1")->version, Version(5));
  EXPECT_EQ(balance(app_, "w1"), 105);
  EXPECT_EQ(shown(app_.reply("shop.wallets.racy", request(id_a))), shown(first));
  EXPECT_EQ(app_.runs["shop.wallets.racy"], 5);
  EXPECT_EQ(app_.storage.recalls, 2);
}

// R91
TEST_F(OnceTest, AfterItsWindowTheIdentityIsANewCall) {
  credit_with(id_a);
  app_.loop.advance(milliseconds(3'600'000 - 1'000));
  credit_with(id_a);
  EXPECT_EQ(balance(app_, "w1"), 5);
  app_.loop.advance(milliseconds(1'000));
  credit_with(id_a);
  EXPECT_EQ(balance(app_, "w1"), 10);
}

// R93
TEST_F(OnceTest, ASeededRecordAnswersWithoutARun) {
  storage::Unit unit;
  unit.remembered = storage::Remembered{"shop.wallets.credit", *Identity::parse(id_a),
                                        std::chrono::minutes(1), R"("seeded")"};
  const auto seeding = [](storage::Storage& into, storage::Unit what) -> Task<bool> {
    const auto committed = co_await into.commit(std::move(what));
    co_return committed.has_value();
  };
  ASSERT_TRUE(app_.loop.run_until(seeding(app_.storage, unit)));
  EXPECT_EQ(shown(credit_with(id_a)), "\"seeded\"");
  EXPECT_EQ(app_.runs["shop.wallets.credit"], 0);
}

// R90
TEST_F(OnceTest, AnOperationWithoutOnceLeavesNoRecord) {
  for (int i = 0; i < 2; ++i) {
    app_.reply("shop.wallets.transit",
               R"({"id":")" + id_a + R"(","input":{"balance":1},"query":{"id":"w1"}})");
  }
  EXPECT_FALSE(app_.storage.remembered);
  EXPECT_EQ(app_.storage.recalls, 0);
  EXPECT_EQ(app_.object("shop.wallets", "w1")->version, Version(2));
}

TEST_F(OnceTest, ACallBeneathTheSameCallDoesNotWaitForIt) {
  app_.add("shop.wallets.twice",
           {.concurrency = Concurrency::none, .once_window_s = 600, .input = amount_schema},
           [](bridge::Run run, Host& host) -> Task<Ran> {
             if (run.input->value().at("amount").as_int64() == 1) {
               auto inner = co_await host.call(Where::local, "shop.wallets.twice",
                                               Document::of_text(request(id_a, 2)));
               EXPECT_NE(shown(inner).find("\"balance\":2"), std::string::npos) << shown(inner);
             }
             co_return credited(run);
           });
  const auto started = app_.loop.now();
  const auto outer = app_.reply("shop.wallets.twice", request(id_a, 1));
  EXPECT_NE(shown(outer).find("\"balance\":2"), std::string::npos) << shown(outer);
  EXPECT_EQ(outer.replay, Replay::yes);
  EXPECT_EQ(balance(app_, "w1"), 2);
  EXPECT_LT(app_.loop.now() - started, limits::repeat_wait_max);
}

// R95, R96, R101
TEST_F(OnceTest, HoldsBeneathACallerThatIsRepeated) {
  app_.add("shop.orders.place", effect(), [](bridge::Run, Host& host) -> Task<Ran> {
    auto reply =
        co_await host.call(Where::remote, "shop.wallets.credit",
                           Document::of_text(R"({"input":{"amount":5},"query":{"id":"w1"}})"));
    co_return replies(*std::get<Output>(reply).value);
  });
  Callers callers(app_);
  for (int i = 0; i < 8; ++i) callers.call("shop.orders.place", R"({"id":")" + id_a + "\"}");
  callers.finish();
  for (const auto& reply : callers.replies) EXPECT_EQ(shown(*reply), shown(*callers.replies[0]));
  EXPECT_EQ(app_.runs["shop.orders.place"], 8);
  EXPECT_EQ(app_.runs["shop.wallets.credit"], 1);
  EXPECT_EQ(balance(app_, "w1"), 5);
}

}  // namespace
}  // namespace toa::operation::testing
