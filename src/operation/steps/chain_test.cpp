#include "operation/steps/chain.hpp"

#include <gtest/gtest.h>

namespace toa::operation {
namespace {

using manifest::Concurrency;
using manifest::Operation;
using manifest::Type;

Operation operation(Type type) {
  Operation made;
  made.label = "shop.wallets.credit";
  made.type = type;
  return made;
}

constexpr Type every_type[] = {Type::transition,  Type::observation, Type::assignment,
                               Type::computation, Type::effect,      Type::unmanaged};

// R102
TEST(CheckLoop, RefusesTheThirdEntryIntoOneHop) {
  EXPECT_FALSE(check_loop({}, "a", {}));
  EXPECT_FALSE(check_loop({"a", "b"}, "a", {}));
  const auto refused = check_loop({"a", "b", "a", "~c"}, "a", {});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, Code::loop);
  EXPECT_EQ(refused->message, "'a' is hop 5 of this chain\ntrail: a > b > a > ~c > a");
  EXPECT_EQ(refused->trail, (Trail{"a", "b", "a", "~c", "a"}));
}

TEST(CheckLoop, RefusesThePathThatHasGrownTooLong) {
  Trail trail;
  for (int i = 1; i < 31; ++i) trail.push_back("h" + std::to_string(i));
  EXPECT_FALSE(check_loop(trail, "h31", {}));
  trail.push_back("h31");
  const auto refused = check_loop(trail, "h32", {});
  ASSERT_TRUE(refused);
  EXPECT_TRUE(refused->message.starts_with("'h32' is hop 32 of this chain"));
}

// R103
TEST(CheckLoop, CountsOnlyTheLengthWhereRepeatsAreFree) {
  const ChainLimits free{.repeats = 0, .depth = 32};
  EXPECT_FALSE(check_loop(Trail(30, "a"), "a", free));
  EXPECT_TRUE(check_loop(Trail(31, "a"), "a", free));
}

// R109
TEST(CheckSafety, LetsOnlyReadersThroughOnAChainThatMayOnlyRead) {
  for (const auto type : every_type) {
    const bool reads = type == Type::observation || type == Type::computation;
    EXPECT_FALSE(check_safety({}, Readonly::no, operation(type)));
    const auto refused = check_safety({"a"}, Readonly::yes, operation(type));
    ASSERT_EQ(refused.has_value(), !reads);
    if (!refused) continue;
    EXPECT_EQ(refused->code, Code::safety);
    EXPECT_EQ(refused->message,
              "'shop.wallets.credit' may change state, and this call may only read");
    EXPECT_EQ(refused->trail, (Trail{"a", "shop.wallets.credit"}));
  }
}

// R110, R112
TEST(ReadonlyBeneath, BeginsAtReadersAndNeverEnds) {
  for (const auto type : every_type) {
    EXPECT_EQ(readonly_beneath(Readonly::yes, operation(type)), Readonly::yes);
    const auto below = readonly_beneath(Readonly::no, operation(type));
    EXPECT_EQ(below, manifest::only_reads(type) ? Readonly::yes : Readonly::no);
  }
}

// R98–R100
TEST(CheckRepeatable, RefusesOnceBeneathARetryingTransitionOnly) {
  auto called = operation(Type::transition);
  called.once_window_s = 600;
  auto caller = operation(Type::transition);
  caller.concurrency = Concurrency::retry;
  const auto refused = check_repeatable(caller, called);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, Code::unrepeatable);
  EXPECT_EQ(
      refused->message,
      "'shop.wallets.credit' is made once, and a transition retried on a lost write would make "
      "it again");

  EXPECT_FALSE(check_repeatable(caller, operation(Type::transition)));
  caller.concurrency = Concurrency::none;
  EXPECT_FALSE(check_repeatable(caller, called));
  EXPECT_FALSE(check_repeatable(operation(Type::effect), called));
}

// R106
TEST(TrailBeneath, StartsOverAtWhatIsUnchained) {
  auto serving = operation(Type::effect);
  EXPECT_EQ(trail_beneath({"a", "b"}, serving), (Trail{"a", "b", "shop.wallets.credit"}));
  serving.unchained = true;
  EXPECT_EQ(trail_beneath({"a", "b"}, serving), (Trail{"shop.wallets.credit"}));
}

}  // namespace
}  // namespace toa::operation
