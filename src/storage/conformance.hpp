#pragma once

#include "storage/conformance_fixture.hpp"

/// What every storage must do. Include it in one test file of a storage and instantiate
/// `Conformance` with its backends.
namespace toa::storage::conformance {

TEST_P(Conformance, FindsNothingThatWasNotStored) {
  EXPECT_FALSE(load("a"));
  EXPECT_FALSE(recall(identity(1)));
}

TEST_P(Conformance, ReturnsAnObjectAsItWasStored) {
  auto created = write("a", 0, R"({"balance":1,"name":"żółć \u0000 \" "})");
  EXPECT_TRUE(is_stored(commit({.writes = {created}})));
  EXPECT_EQ(load("a"), created.next);

  auto changed = write("a", 1, R"({"balance":2})");
  changed.next.deleted = start + 7;
  changed.next.region = 3;
  EXPECT_TRUE(is_stored(commit({.writes = {changed}})));
  EXPECT_EQ(load("a"), changed.next);
}

TEST_P(Conformance, KeepsIdsApartThatDifferInOneByte) {
  const std::string with_zero("a\0b", 3);
  for (const auto& id : {std::string("a"), std::string("A"), std::string("a "), with_zero})
    EXPECT_TRUE(is_stored(commit({.writes = {write(id, 0, "{}")}})));
  EXPECT_EQ(load(with_zero)->id.value, with_zero);
}

TEST_P(Conformance, KeepsComponentsApartThatDifferInCase) {
  EXPECT_TRUE(is_stored(commit({.writes = {write("a", 0, "{}")}})));
  EXPECT_FALSE(loop_.run_until(storage().load(ComponentId("shop.Wallets"), EntityId("a"))).value());
}

TEST_P(Conformance, LosesAWriteOverAnotherVersion) {
  EXPECT_TRUE(is_lost(commit({.writes = {write("a", 1, "{}")}})));
  commit({.writes = {write("a", 0, R"({"balance":1})")}});
  commit({.writes = {write("a", 1, R"({"balance":2})")}});
  EXPECT_TRUE(is_lost(commit({.writes = {write("a", 1, R"({"balance":9})")}})));
  EXPECT_TRUE(is_lost(commit({.writes = {write("a", 2 + 1, R"({"balance":9})")}})));
  EXPECT_EQ(load("a")->properties, R"({"balance":2})");
}

// R12: an object that was removed and made again has its versions once more.
TEST_P(Conformance, LosesAWriteOverAnotherObjectOfTheSameIdAndVersion) {
  commit({.writes = {write("a", 0, R"({"balance":1})")}});
  auto made = write("a", 1, R"({"balance":2})");
  made.next.created -= 1;
  EXPECT_TRUE(is_lost(commit({.writes = {made}})));
  EXPECT_EQ(load("a")->properties, R"({"balance":1})");
}

TEST_P(Conformance, LosesACreationOfWhatExists) {
  commit({.writes = {write("a", 0, R"({"balance":1})")}});
  EXPECT_TRUE(is_lost(commit({.writes = {write("a", 0, R"({"balance":9})")}})));
  EXPECT_EQ(load("a")->properties, R"({"balance":1})");
}

TEST_P(Conformance, StoresNothingOfALostUnit) {
  commit({.writes = {write("b", 0, "{}")}});
  const auto outcome = commit({.writes = {write("a", 0, "{}"), write("b", 0, "{}")},
                               .remembered = record(identity(1), "1")});
  ASSERT_TRUE(is_lost(outcome));
  EXPECT_EQ(std::get<Lost>(outcome).write, 1u);
  EXPECT_FALSE(load("a"));
  EXPECT_FALSE(recall(identity(1)));  // R88
}

// R86, R87
TEST_P(Conformance, AnswersARepeatWithTheFirstReplyAndStoresNothing) {
  EXPECT_TRUE(is_stored(
      commit({.writes = {write("a", 0, "{}")}, .remembered = record(identity(1), R"({"n":1})")})));
  const auto repeat = commit(
      {.writes = {write("a", 1, R"({"x":1})")}, .remembered = record(identity(1), R"({"n":2})")});
  EXPECT_EQ(first_reply(repeat), R"({"n":1})");
  EXPECT_EQ(load("a")->properties, "{}");
  EXPECT_EQ(recall(identity(1))->reply, R"({"n":1})");
}

TEST_P(Conformance, PrefersAKnownIdentityToALostRace) {
  commit({.writes = {write("a", 0, "{}")}, .remembered = record(identity(1), "1")});
  const auto repeat =
      commit({.writes = {write("a", 0, "{}")}, .remembered = record(identity(1), "2")});
  EXPECT_EQ(first_reply(repeat), "1");
}

TEST_P(Conformance, TellsTheSameIdentityAtAnotherEndpointApart) {
  commit({.remembered = record(identity(1), "1")});
  auto other = record(identity(1), "2");
  other.endpoint = "shop.wallets.debit";
  EXPECT_TRUE(is_stored(commit({.remembered = other})));
  EXPECT_EQ(recall(identity(1))->reply, "1");
}

TEST_P(Conformance, KeepsRepliesByteForByteAndNothingApartFromNull) {
  const std::vector<std::optional<std::string>> replies = {std::nullopt,
                                                           "null",
                                                           "",
                                                           R"("")",
                                                           R"({ "b":1.50,"a":[ ] })",
                                                           "\"\xc3\xa9\"",
                                                           std::string(300'000, ' ') + "1"};
  for (std::uint8_t i = 0; i < replies.size(); ++i) {
    commit({.remembered = record(identity(i), replies[i])});
    const auto recalled = recall(identity(i));
    ASSERT_TRUE(recalled);
    EXPECT_EQ(recalled->reply, replies[i]);
    EXPECT_EQ(first_reply(commit({.remembered = record(identity(i), "9")})), replies[i]);
  }
}

// R91
TEST_P(Conformance, ForgetsACallAtItsExpiry) {
  commit({.remembered = record(identity(1), "1")});
  clock_.advance(window - std::chrono::milliseconds(1));
  EXPECT_TRUE(recall(identity(1)));
  clock_.advance(std::chrono::milliseconds(1));
  EXPECT_FALSE(recall(identity(1)));
}

TEST_P(Conformance, ReplacesAnExpiredRecord) {
  commit({.remembered = record(identity(1), "1")});
  clock_.advance(window);
  EXPECT_TRUE(
      is_stored(commit({.writes = {write("a", 0, "{}")}, .remembered = record(identity(1), "2")})));
  EXPECT_EQ(recall(identity(1))->reply, "2");
  EXPECT_TRUE(load("a"));
}

TEST_P(Conformance, NeverRevivesACallWhenTheClockIsSetBack) {
  commit({.remembered = record(identity(1), "1")});
  clock_.advance(window);
  EXPECT_FALSE(recall(identity(1)));
  clock_.jump(-2 * window);
  EXPECT_FALSE(recall(identity(1)));
}

TEST_P(Conformance, GivesTheWholeWindowWhileTheClockIsSetBack) {
  EXPECT_FALSE(recall(identity(1)));
  clock_.jump(-10 * window);
  commit({.remembered = record(identity(1), "1")});
  clock_.advance(window - std::chrono::milliseconds(1));
  EXPECT_TRUE(recall(identity(1)));
  clock_.advance(std::chrono::milliseconds(1));
  EXPECT_FALSE(recall(identity(1)));
}

TEST_P(Conformance, LetsOneOfManyWritesOverOneVersionWin) {
  commit({.writes = {write("a", 0, R"({"by":-1})")}});
  for (std::int64_t version = 1; version <= 5; ++version) {
    std::vector<Unit> units;
    for (int i = 0; i < 50; ++i)
      units.push_back({.writes = {write("a", version, "{\"by\":" + std::to_string(i) + "}")}});
    const auto outcomes = commit_at_once(std::move(units));
    EXPECT_EQ(std::ranges::count_if(outcomes, is_stored), 1);
    EXPECT_EQ(std::ranges::count_if(outcomes, is_lost), 49);
    const auto winner = std::ranges::find_if(outcomes, is_stored) - outcomes.begin();
    EXPECT_EQ(load("a")->properties, "{\"by\":" + std::to_string(winner) + "}");
    EXPECT_EQ(load("a")->version, Version(version + 1));
  }
}

// R87
TEST_P(Conformance, AnswersRacingRepeatsWithTheOneThatWasStored) {
  std::vector<Unit> units;
  for (int i = 0; i < 20; ++i)
    units.push_back({.writes = {write("w" + std::to_string(i), 0, "{}")},
                     .remembered = record(identity(1), std::to_string(i))});
  const auto outcomes = commit_at_once(std::move(units));
  EXPECT_EQ(std::ranges::count_if(outcomes, is_stored), 1);
  const auto first = recall(identity(1))->reply;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (is_stored(outcomes[i])) {
      EXPECT_EQ(first, std::to_string(i));
    } else {
      EXPECT_EQ(first_reply(outcomes[i]), first);
    }
    EXPECT_EQ(load("w" + std::to_string(i)).has_value(), is_stored(outcomes[i]));
  }
}

TEST_P(Conformance, UndoesARejectedUnitAlone) {
  commit({.writes = {write("hot", 0, "{}")}});
  std::vector<Unit> units;
  for (std::uint8_t i = 0; i < 30; ++i) {
    const auto own = "o" + std::to_string(i);
    // Every third unit loses its second write.
    units.push_back({.writes = {write(own, 0, "{}"), write(own + "'", i % 3 == 0 ? 5 : 0, "{}")},
                     .remembered = record(identity(2, i), own)});
  }
  const auto outcomes = commit_at_once(std::move(units));
  for (std::uint8_t i = 0; i < 30; ++i) {
    const bool stored = i % 3 != 0;
    EXPECT_EQ(is_stored(outcomes[i]), stored);
    EXPECT_EQ(load("o" + std::to_string(i)).has_value(), stored);
    EXPECT_EQ(recall(identity(2, i)).has_value(), stored);
  }
}

TEST_P(Conformance, ReadsWhatWasStoredBeforeWhileMoreIsWritten) {
  for (std::int64_t version = 0; version < 100; ++version) {
    std::vector<Unit> units;
    units.push_back({.writes = {write("a", version, "{}")}});
    for (int i = 0; i < 5; ++i)
      units.push_back({.writes = {write("b" + std::to_string(version * 5 + i), 0, "{}")}});
    commit_at_once(std::move(units));
    EXPECT_EQ(load("a")->version, Version(version + 1));
  }
}

// A transition over many objects: all or nothing.
TEST_P(Conformance, StoresManyWritesOrNoneOfThem) {
  const auto many = [] {
    Unit unit;
    for (int i = 0; i < 1'000; ++i)
      unit.writes.push_back(write("o" + std::to_string(i), 0, "{\"n\":" + std::to_string(i) + "}"));
    return unit;
  };
  auto torn = many();
  torn.writes[500].base = Version(4);
  torn.writes[500].next.version = Version(5);
  const auto outcome = commit(std::move(torn));
  ASSERT_TRUE(is_lost(outcome));
  EXPECT_EQ(std::get<Lost>(outcome).write, 500u);
  EXPECT_FALSE(load("o0"));
  EXPECT_FALSE(load("o999"));
  EXPECT_TRUE(is_stored(commit(many())));
  EXPECT_EQ(load("o0")->properties, R"({"n":0})");
  EXPECT_EQ(load("o999")->properties, R"({"n":999})");
}

TEST_P(Conformance, StoresAnEmptyUnit) {
  EXPECT_TRUE(is_stored(commit({})));
}

}  // namespace toa::storage::conformance
