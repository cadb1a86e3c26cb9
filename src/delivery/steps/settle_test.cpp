#include "delivery/steps/settle.hpp"

#include <gtest/gtest.h>

namespace toa::delivery {
namespace {

constexpr EpochMs now = 1'000'000;

Message message(int attempt) {
  return {.number = MessageNumber(7),
          .id = Identity({1, 2, 3}),
          .kind = MessageKind::event,
          .component = ComponentId("shop.wallets"),
          .name = "shop.payins.arrived",
          .body = "{}",
          .attempt = attempt};
}

Fate settled(int attempt, Outcome outcome) {
  return settle(message(attempt), outcome, now, Ladder{});
}

// R5, R302
TEST(Settle, ARefusalEndsTheWorkQuietly) {
  EXPECT_TRUE(std::holds_alternative<Acknowledge>(settled(1, Refusal{"NO", {}})));
  EXPECT_TRUE(std::holds_alternative<Acknowledge>(settled(1, Output{})));
}

// R19, R20
TEST(Settle, AnExceptionClimbsTheLadderAndIsParkedAfterTheFifthAttempt) {
  constexpr EpochMs pauses[] = {1'000, 10'000, 30'000, 90'000};
  for (int attempt = 1; attempt <= 4; ++attempt) {
    const auto fate = settled(attempt, Exception{.message = "away"});
    const auto* retry = std::get_if<Retry>(&fate);
    ASSERT_NE(retry, nullptr) << attempt;
    EXPECT_EQ(retry->attempt, attempt + 1);
    EXPECT_EQ(retry->due, now + pauses[attempt - 1]);
  }
  const auto fate = settled(5, Exception{.message = "away"});
  const auto* park = std::get_if<Park>(&fate);
  ASSERT_NE(park, nullptr);
  EXPECT_EQ(park->attempt, 5);
  EXPECT_EQ(park->at, now);
  EXPECT_EQ(park->failure.reason, "away");
}

// R10, R25, R26
TEST(Settle, WhatCannotSucceedIsParkedOnItsFirstDelivery) {
  for (const auto code : {Code::request_contract, Code::endpoint, Code::loop, Code::safety,
                          Code::unrepeatable, Code::entity_contract, Code::entity_guard}) {
    const auto fate = settled(1, Exception{.code = code, .message = "no"});
    EXPECT_TRUE(std::holds_alternative<Park>(fate)) << exception_name(code);
  }
}

// A message that ends its worker each time would end fifteen of them on the ladder.
TEST(Settle, WhatFailsForGoodIsParkedOnItsFirstDeliveryWhateverItsCode) {
  const auto fate = settled(1, Exception{.message = "ended its worker twice", .for_good = true});
  EXPECT_TRUE(std::holds_alternative<Park>(fate));
}

// R308: an event may overtake the one that makes its object.
TEST(Settle, AnObjectThatIsNotThereYetIsWaitedFor) {
  const auto fate = settled(1, Exception{.code = Code::state_not_found, .message = "not found"});
  EXPECT_TRUE(std::holds_alternative<Retry>(fate));
}

TEST(Settle, KeepsTheCauseAndTheStackForOperators) {
  const auto failure = failure_of({.code = Code::entity_guard,
                                   .message = "solvent",
                                   .cause = Json({{"balance", -1}}),
                                   .stack = "at debit.ts:3"});
  EXPECT_EQ(failure.cause, R"({"balance":-1})");
  EXPECT_EQ(failure.stack, "at debit.ts:3");
}

}  // namespace
}  // namespace toa::delivery
