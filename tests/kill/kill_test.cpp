#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

#include "kill/drill.hpp"
#include "kill/fault_places.hpp"

namespace toa::kill {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

std::uint64_t setting(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

std::uint64_t a_seed() {
  return setting("TOA_KILL_SEED", std::random_device{}());
}

/// The rounds of a test, which end early only where TOA_KILL_SECONDS says so.
class Rounds {
 public:
  Rounds() : left_(setting("TOA_KILL_ROUNDS", 8)), until_(Clock::now() + seconds(limit())) {}
  bool next() { return left_-- > 0 && Clock::now() < until_; }

 private:
  static std::uint64_t limit() { return setting("TOA_KILL_SECONDS", 86'400); }

  std::uint64_t left_;
  Clock::time_point until_;
};

void tell(const std::string& what, Drill& drill) {
  const auto& tally = drill.tally();
  ::testing::Test::RecordProperty(what, static_cast<int>(tally.lives));
  fmt::print(
      "[ {} ] {} lives, {} calls: {} killed under load, {} by a fault, {} while starting; {} "
      "stopped\n",
      what, tally.lives, drill.ledger().calls(), tally.killed_under_load, tally.killed_by_fault,
      tally.killed_while_starting, tally.stopped);
}

void expect_sound(Drill& drill) {
  for (const auto& violation : drill.ledger().violations()) ADD_FAILURE() << violation;
  for (const auto& trouble : drill.troubles()) ADD_FAILURE() << trouble;
}

/// The storages that keep their promises.
class Killed : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Over, Killed, ::testing::Values("standard", "plain", "lossy"),
                         [](const auto& info) { return std::string(info.param); });

// R86, R87: a repeat is recognised over any death of the process.
TEST_P(Killed, KeepsEveryAcknowledgedCallOnceWheneverItDies) {
  const auto seed = a_seed();
  SCOPED_TRACE(fmt::format("TOA_KILL_SEED={}", seed));
  Drill drill(GetParam(), seed);
  auto& random = drill.random();
  for (Rounds rounds; rounds.next() && !HasFailure();) {
    drill.live(
        {.answers = random.below(600), .then = std::chrono::microseconds(random.below(3'000))});
    if (random.below(3) == 0) drill.die_starting(milliseconds(random.below(400)));
    if (random.below(4) == 0) drill.stop_under_load(random.below(600));
    expect_sound(drill);
  }
  drill.finish();
  expect_sound(drill);
  tell(GetParam(), drill);
}

TEST_P(Killed, KeepsEveryAcknowledgedCallOnceAtEachFaultPoint) {
  const auto seed = a_seed();
  SCOPED_TRACE(fmt::format("TOA_KILL_SEED={}", seed));
  Drill drill(GetParam(), seed);
  for (const auto& place : fault_places(KILL_SOURCES)) {
    // The first commits are those of the reckoning.
    for (const int occurrence : {1, 4, 40}) {
      SCOPED_TRACE(fmt::format("{}:{}", place, occurrence));
      const bool reached =
          drill.live({.fault = fmt::format("{}:{}=crash", place, occurrence), .answers = 5'000});
      EXPECT_TRUE(reached) << "the load does not reach the fault point";
    }
    // Held up before it dies, so that whoever answers too early is seen to.
    drill.live({.fault = fmt::format("{0}:9=delay:100,{0}:9=crash", place), .answers = 5'000});
  }
  drill.finish();
  expect_sound(drill);
  tell(GetParam(), drill);
}

// R95: the effect is not remembered, what it calls is. Each step of it dies once, also in the life
// that repeats it.
TEST_P(Killed, CountsOnceBeneathAnEffectThatIsCalledAgain) {
  Drill drill(GetParam(), 1);
  const auto counters = Ledger::counters();
  for (const auto& place : fault_places(KILL_SOURCES)) {
    // Those of delivery come when they come: the load meets them, a reckoning may end before.
    if (!place.starts_with("commit.")) continue;
    for (const int occurrence : {1, 2}) {
      SCOPED_TRACE(fmt::format("{}:{}", place, occurrence));
      const auto id = fmt::format("{:032x}", drill.ledger().calls() + 1);
      drill.ledger().make(
          Call{.id = id, .counters = {counters[0], counters[1]}, .by = 1 + occurrence});
      EXPECT_TRUE(drill.reckon(fmt::format("{}:{}=crash", place, occurrence)));
    }
    EXPECT_FALSE(drill.reckon());
  }
  drill.finish();
  expect_sound(drill);
  tell(GetParam(), drill);
}

// R183, R184: the first life that gets through applies both, whatever became of those before.
TEST_P(Killed, MigratesOnceWhereverThatEnds) {
  Drill drill(GetParam(), a_seed());
  EXPECT_TRUE(drill.reckon("migration.written:1=crash"));
  EXPECT_TRUE(drill.reckon("migration.written:2=crash")) << "what was not recorded is made again";
  EXPECT_FALSE(drill.reckon("migration.written:2=crash")) << "what was recorded is not";
  EXPECT_FALSE(drill.reckon("migration.written:1=crash"));
  drill.live({.answers = 100});
  drill.finish();
  expect_sound(drill);
}

/// A mutant, and what widens the moment in which it is wrong. `{}` is how-many-eth.
struct Mutant {
  const char* storage;
  const char* fault;
};

class Caught : public ::testing::TestWithParam<Mutant> {};
INSTANTIATE_TEST_SUITE_P(
    Of, Caught,
    ::testing::Values(Mutant{"mutant-reply-early",
                             "commit.before:{0}=delay:200,commit.before:{0}=crash"},
                      Mutant{"mutant-inbox-outside", "commit.before:{0}=crash"},
                      Mutant{"mutant-inbox-first", "commit.before:{0}=crash"},
                      Mutant{"mutant-no-sync", "commit.after:{0}=crash"}),
    [](const auto& info) {
      std::string name = info.param.storage;
      std::ranges::replace(name, '-', '_');
      return name;
    });

TEST_P(Caught, WithinAFewLives) {
  constexpr int lives_max = 12;
  const auto seed = a_seed();
  SCOPED_TRACE(fmt::format("TOA_KILL_SEED={}", seed));
  Drill drill(GetParam().storage, seed);
  // Later than the first commits, so that replies have gone out which can be proved wrong.
  for (int life = 0; life < lives_max && drill.ledger().violations().empty(); ++life) {
    drill.live({.fault = fmt::format(fmt::runtime(GetParam().fault), 6 + life), .answers = 5'000});
    drill.reckon();
  }
  EXPECT_FALSE(drill.ledger().violations().empty())
      << "the mutant survived " << lives_max << " lives";
  EXPECT_TRUE(drill.troubles().empty()) << drill.troubles().front();
  tell(GetParam().storage, drill);
}

TEST_P(Caught, ByNothingButTheKill) {
  Drill drill(GetParam().storage, 1);
  drill.live({.answers = 500});
  EXPECT_TRUE(drill.ledger().violations().empty()) << drill.ledger().violations().front();
  EXPECT_TRUE(drill.troubles().empty());
}

}  // namespace
}  // namespace toa::kill
