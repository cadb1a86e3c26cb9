#pragma once

#include <gtest/gtest.h>

#include "bridge/bridge.hpp"
#include "bridge/test_support.hpp"

/// What every bridge does, as tests. A subject is default-constructible, and has
///   Bridge& bridge();                          // with the operations below loaded
///   AsioLoop& loop();
/// The operations, by number:
///   0 echo      computation: returns its input
///   1 refuse    computation: returns an error with code NO and cause { "left": 5 }
///   2 throws    computation: throws a TypeError 'broken'
///   3 credit    transition over `entry`: adds input.amount to state.balance, returns the state
///   itself 4 drop      transition over `entry`: sets DISCARD, returns "kept" 5 calls     effect:
///   calls shop.wallets.echo with { input: <its input> }, returns what it answered 6 nothing
///   computation: returns undefined
namespace toa::bridge::testing {

inline const std::vector<std::string> conformance_operations{"echo", "refuse", "throws", "credit",
                                                             "drop", "calls",  "nothing"};

template <class Subject>
class BridgeConformance : public ::testing::Test {
 protected:
  void TearDown() override { drive(subject.loop(), subject.bridge().close()); }

  Ran ran(bridge::Run run, Host& whose) {
    std::optional<Ran> out;
    const auto work = [&]() -> Task<void> {
      out = co_await subject.bridge().run(std::move(run), whose);
    };
    drive(subject.loop(), work());
    return std::move(*out);
  }

  Ran ran(bridge::Run run) { return ran(std::move(run), host); }

  Subject subject;
  NotingHost host;
};

inline Run run_of(std::uint32_t number, std::optional<Document> input = {},
                  std::optional<Document> state = {}) {
  return {
      .operation = OperationNumber(number), .input = std::move(input), .state = std::move(state)};
}

TYPED_TEST_SUITE_P(BridgeConformance);

TYPED_TEST_P(BridgeConformance, ReturnsTheReply) {
  const auto ran = this->ran(run_of(0, text(R"({"a":[1,2.5,"ü"]})")));
  EXPECT_EQ(std::get<Returned>(ran).reply->text(), R"({"a":[1,2.5,"ü"]})");
}

TYPED_TEST_P(BridgeConformance, TellsNothingFromNull) {
  EXPECT_FALSE(std::get<Returned>(this->ran(run_of(6))).reply.has_value());
  const auto null = this->ran(run_of(0, text("null")));
  EXPECT_EQ(std::get<Returned>(null).reply->text(), "null");
}

TYPED_TEST_P(BridgeConformance, RefusesWithCodeAndCause) {
  const auto refusal = std::get<Refusal>(this->ran(run_of(1)));
  EXPECT_EQ(refusal.code, "NO");
  EXPECT_EQ(json::print(*refusal.cause), R"({"left":5})");
}

TYPED_TEST_P(BridgeConformance, EndsAsTheExceptionThatTheCodeThrew) {
  const auto exception = std::get<Exception>(this->ran(run_of(2)));
  EXPECT_EQ(exception.code, Code::system);
  EXPECT_EQ(exception.message, "broken");
  EXPECT_EQ(exception.thrown, "TypeError");
}

TYPED_TEST_P(BridgeConformance, GivesBackTheStateOfATransition) {
  const auto ran = this->ran(run_of(3, text(R"({"amount":5})"), text(R"({"balance":10})")));
  const auto& returned = std::get<Returned>(ran);
  EXPECT_TRUE(returned.reply_is_state);
  EXPECT_FALSE(returned.reply.has_value());
  EXPECT_EQ(returned.state->text(), R"({"balance":15})");
}

TYPED_TEST_P(BridgeConformance, SaysThatTheStateIsDiscarded) {
  const auto ran = this->ran(run_of(4, text("{}"), text(R"({"balance":10})")));
  EXPECT_TRUE(std::get<Returned>(ran).discard);
  EXPECT_EQ(std::get<Returned>(ran).reply->text(), R"("kept")");
}

TYPED_TEST_P(BridgeConformance, PassesACallToTheHostAndItsAnswerBack) {
  NotingHost host([](Where where, std::string, Document) -> Task<Outcome> {
    EXPECT_EQ(where, Where::remote);
    co_return Output{text("42")};
  });
  const auto ran = this->ran(run_of(5, text(R"({"n":1})")), host);
  EXPECT_EQ(std::get<Returned>(ran).reply->text(), "42");
  EXPECT_EQ(host.calls, std::vector<std::string>{R"(shop.wallets.echo {"input":{"n":1}})"});
}

TYPED_TEST_P(BridgeConformance, LetsAnExceptionOfACallThroughWithCodeAndTrail) {
  NotingHost host([](Where, std::string, Document) -> Task<Outcome> {
    co_return Exception{.code = Code::loop, .message = "around", .trail = {"a.b.c", "d.e.f"}};
  });
  const auto exception = std::get<Exception>(this->ran(run_of(5, text("{}")), host));
  EXPECT_EQ(exception.code, Code::loop);
  EXPECT_EQ(exception.trail, (Trail{"a.b.c", "d.e.f"}));
}

REGISTER_TYPED_TEST_SUITE_P(BridgeConformance, ReturnsTheReply, TellsNothingFromNull,
                            RefusesWithCodeAndCause, EndsAsTheExceptionThatTheCodeThrew,
                            GivesBackTheStateOfATransition, SaysThatTheStateIsDiscarded,
                            PassesACallToTheHostAndItsAnswerBack,
                            LetsAnExceptionOfACallThroughWithCodeAndTrail);

}  // namespace toa::bridge::testing
