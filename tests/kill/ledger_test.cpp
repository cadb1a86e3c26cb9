#include "kill/ledger.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace toa::kill {
namespace {

const std::string counter = Ledger::counters().front();

Ledger::Sent add(Ledger& ledger, int by) {
  return ledger.make(Call{"id", {counter}, by});
}

Answer told(Count count, bool replayed = false) {
  return {0, fmt::format(R"("output":{{"total":{},"VERSION":{}}})", count.total, count.version),
          replayed};
}

TEST(Ledger, FindsNothingInAnUnbrokenChain) {
  Ledger ledger;
  const auto first = add(ledger, 3);
  const auto second = add(ledger, 4);
  ledger.answered(second, told({.version = 2, .total = 7}));
  ledger.answered(first, told({.version = 1, .total = 3}));
  ledger.answered({first.call, true}, told({.version = 1, .total = 3}, true));
  ledger.check({{counter, {.version = 2, .total = 7}}});
  EXPECT_TRUE(ledger.violations().empty());
}

TEST(Ledger, FindsACallThatCountedTwice) {
  Ledger ledger;
  ledger.answered(add(ledger, 3), told({.version = 2, .total = 6}));
  ledger.check({{counter, {.version = 2, .total = 6}}});
  EXPECT_EQ(ledger.violations().size(), 1u);
}

TEST(Ledger, FindsAnAcknowledgedCallThatIsNotStored) {
  Ledger ledger;
  ledger.answered(add(ledger, 3), told({.version = 1, .total = 3}));
  ledger.check({{counter, {}}});
  EXPECT_EQ(ledger.violations().size(), 1u);
}

TEST(Ledger, FindsAReplyThatToldOfALostState) {
  Ledger ledger;
  ledger.answered(add(ledger, 3), told({.version = 1, .total = 3}));
  ledger.answered(add(ledger, 4), told({.version = 1, .total = 4}));
  ledger.check({{counter, {.version = 1, .total = 4}}});
  EXPECT_EQ(ledger.violations().size(), 1u);
}

TEST(Ledger, FindsARepeatThatRanAgainAndOneAnsweredOtherwise) {
  Ledger ledger;
  const auto call = add(ledger, 3);
  ledger.answered(call, told({.version = 1, .total = 3}, true));
  ledger.answered({call.call, true}, told({.version = 1, .total = 3}));
  EXPECT_EQ(ledger.violations().size(), 1u);
  ledger.answered({call.call, true}, told({.version = 2, .total = 6}, true));
  EXPECT_EQ(ledger.violations().size(), 2u);
}

TEST(Ledger, FindsAnExceptionWhereAReplyWasDue) {
  Ledger ledger;
  ledger.answered(add(ledger, 3), {0, R"("exception":{"name":"SystemException"})", false});
  EXPECT_EQ(ledger.violations().size(), 1u);
}

}  // namespace
}  // namespace toa::kill
