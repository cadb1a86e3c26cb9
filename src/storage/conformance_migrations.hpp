#pragma once

#include <algorithm>

#include "storage/conformance_fixture.hpp"

/// What a storage must do that applies migrations. Include it beside `conformance.hpp`.
namespace toa::storage::conformance {

using Ids = std::vector<std::string>;
using Steps = decltype(Migration::steps);

inline Index index(std::string name, std::string path, Index made = {}) {
  made.name = std::move(name);
  made.keys = {{std::move(path)}};
  return made;
}

class ConformanceMigrations : public ::testing::TestWithParam<Kind> {
 protected:
  ConformanceMigrations() : backend_(GetParam().open(loop_, clock_)) {
    EXPECT_TRUE(storage().capabilities().migrations);
  }
  ~ConformanceMigrations() override { loop_.run_until(storage().close()); }

  Storage& storage() { return backend_->storage(); }
  Result<void> try_apply(std::vector<Migration> migrations) {
    return loop_.run_until(storage().prepare({Collection(wallets, std::move(migrations))}));
  }
  void apply(std::vector<Migration> migrations) {
    const auto applied = try_apply(std::move(migrations));
    EXPECT_TRUE(applied) << applied.error().message;
  }
  Commit commit(Unit unit) { return loop_.run_until(storage().commit(std::move(unit))).value(); }
  Commit keep(std::string id, std::string properties) {
    return commit({.writes = {write(std::move(id), 0, std::move(properties))}});
  }
  std::optional<Object> load(std::string id) {
    return loop_.run_until(storage().load(wallets, EntityId(std::move(id)))).value();
  }
  std::optional<std::string> properties(std::string id) {
    auto object = load(std::move(id));
    return object ? std::optional(object->properties) : std::nullopt;
  }
  Ids ids(Selection selection) {
    Ids ids;
    for (auto& object : loop_.run_until(storage().find(wallets, std::move(selection))).value())
      ids.push_back(std::move(object.id.value));
    return ids;
  }

  ManualClock clock_{start};
  ManualLoop loop_{clock_};
  std::unique_ptr<Backend> backend_;
};

inline bool is_clash(const Commit& commit) {
  return std::holds_alternative<Clash>(commit);
}

// R188
TEST_P(ConformanceMigrations, TellsAClashOfAUniqueIndexFromALostRace) {
  apply({{"1", {index("by name", "name", {.name = {}, .keys = {}, .unique = true})}}});
  EXPECT_TRUE(is_stored(keep("a", R"({"name":"x"})")));
  const auto clash =
      commit({.writes = {write("b", 0, "{\"name\":\"y\"}"), write("c", 0, R"({"name":"x"})")},
              .remembered = Remembered{credit, identity(1), std::chrono::seconds(9), "1"}});
  ASSERT_TRUE(is_clash(clash));
  EXPECT_EQ(std::get<Clash>(clash).write, 1u);
  EXPECT_EQ(std::get<Clash>(clash).index, "by name");
  EXPECT_FALSE(load("b"));
  EXPECT_FALSE(loop_.run_until(storage().recall(credit, identity(1))).value());
  EXPECT_TRUE(is_lost(keep("a", R"({"name":"z"})")));
}

TEST_P(ConformanceMigrations, ForgetsTheCallOfALoneWriteThatClashes) {
  apply({{"1", {index("n", "name", {.name = {}, .keys = {}, .unique = true})}}});
  keep("a", R"({"name":"x"})");
  keep("b", R"({"name":"y"})");
  EXPECT_TRUE(is_clash(
      commit({.writes = {write("b", 1, R"({"name":"x"})")},
              .remembered = Remembered{credit, identity(1), std::chrono::seconds(9), "1"}})));
  EXPECT_FALSE(loop_.run_until(storage().recall(credit, identity(1))).value());
  EXPECT_EQ(load("b")->version, Version(1));
  EXPECT_TRUE(is_stored(commit({.writes = {write("b", 1, R"({"name":"z"})")}})));
}

TEST_P(ConformanceMigrations, UndoesAClashingUnitAlone) {
  apply({{"1", {index("n", "name", {.name = {}, .keys = {}, .unique = true})}}});
  std::vector<Commit> outcomes(30);
  {
    Scope scope(loop_);
    const auto one = [](Storage& storage, Unit unit, Commit& outcome) -> Task<void> {
      outcome = (co_await storage.commit(std::move(unit))).value();
    };
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const auto name = "{\"name\":" + std::to_string(i % 10) + "}";
      scope.spawn(
          one(storage(), {.writes = {write("o" + std::to_string(i), 0, name)}}, outcomes[i]));
    }
    loop_.run_until(scope.close());
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(is_stored(outcomes[i]), i < 10);
    EXPECT_EQ(is_clash(outcomes[i]), i >= 10);
    EXPECT_EQ(load("o" + std::to_string(i)).has_value(), i < 10);
  }
}

TEST_P(ConformanceMigrations, StoresNothingOfManyWritesWhereOneIsRejected) {
  apply({{"1", {index("n", "n", {.name = {}, .keys = {}, .unique = true})}}});
  const auto many = [](std::size_t odd, Write instead) {
    Unit unit;
    for (std::size_t i = 0; i < 1'000; ++i)
      unit.writes.push_back(write("o" + std::to_string(i), 0, "{\"n\":" + std::to_string(i) + "}"));
    unit.writes[odd] = std::move(instead);
    return unit;
  };
  const auto clash = commit(many(500, write("x", 0, R"({"n":7})")));
  ASSERT_TRUE(is_clash(clash));
  EXPECT_EQ(std::get<Clash>(clash).write, 500u);
  const auto lost = commit(many(700, write("x", 5, R"({"n":700})")));
  ASSERT_TRUE(is_lost(lost));
  EXPECT_EQ(std::get<Lost>(lost).write, 700u);
  EXPECT_EQ(ids({}), Ids{});
  EXPECT_TRUE(is_stored(commit(many(999, write("x", 0, R"({"n":999})")))));
  EXPECT_EQ(ids({}).size(), 1'000u);
}

// R188
TEST_P(ConformanceMigrations, LetsGoOfAValueWithTheObjectThatAPartialIndexLeavesOut) {
  apply({{"1",
          {index("n", "name",
                 {.name = {}, .keys = {}, .unique = true, .partial = is("DELETED", nullptr)})}}});
  keep("a", R"({"name":"x"})");
  EXPECT_TRUE(is_clash(keep("b", R"({"name":"x"})")));
  auto deleted = write("a", 1, R"({"name":"x"})");
  deleted.next.deleted = start;
  EXPECT_TRUE(is_stored(commit({.writes = {deleted}})));
  EXPECT_TRUE(is_stored(keep("b", R"({"name":"x"})")));
}

TEST_P(ConformanceMigrations, KeepsApartObjectsWithoutAValueUnlessTheIndexIsSparse) {
  apply({{"1",
          {index("n", "name", {.name = {}, .keys = {}, .unique = true}),
           index("m", "mail", {.name = {}, .keys = {}, .unique = true, .sparse = true})}}});
  EXPECT_TRUE(is_stored(keep("a", R"({"name":"x"})")));
  EXPECT_TRUE(is_stored(keep("b", "{}")));
  const auto clash = keep("c", R"({"name":null})");
  ASSERT_TRUE(is_clash(clash));
  EXPECT_EQ(std::get<Clash>(clash).index, "n");
}

TEST_P(ConformanceMigrations, KeepsApartTheValuesOfSeveralKeysTogether) {
  Index pair = index("pair", "a", {.name = {}, .keys = {}, .unique = true});
  pair.keys.push_back({"b.c", Index::Kind::descending});
  apply({{"1", {pair}}});
  EXPECT_TRUE(is_stored(keep("1", R"({"a":1,"b":{"c":1}})")));
  EXPECT_TRUE(is_stored(keep("2", R"({"a":1,"b":{"c":2}})")));
  EXPECT_TRUE(is_stored(keep("3", R"({"a":1})")));
  EXPECT_TRUE(is_clash(keep("4", R"({"a":1,"b":{"c":2}})")));
  EXPECT_TRUE(is_clash(keep("5", R"({"a":1})")));
}

TEST_P(ConformanceMigrations, ChangesAndDeletesWhatMeetsTheFilter) {
  apply({});
  keep("a", R"({"n":1,"old":{"x":5}})");
  keep("b", R"({"n":2,"old":{"x":6},"gone":1})");
  keep("c", R"({"n":3})");
  UpdateObjects update{.filter = condition({{"n"}}, Comparison::less, {3})};
  update.rename = {{"old.x", "y"}};
  update.unset = {"gone", "old"};
  update.set = {{"deep.er", "z"}};
  apply({{"1", {update, DeleteObjects{is("n", 3)}}}});
  EXPECT_EQ(ids({}), (Ids{"a", "b"}));
  EXPECT_EQ(ids({.criteria = is("y", 6)}), Ids{"b"});
  EXPECT_EQ(ids({.criteria = condition({{"deep"}, {"er"}}, Comparison::equal, {"z"})}),
            (Ids{"a", "b"}));
  EXPECT_EQ(ids({.criteria = is("gone", 1)}), Ids{});
}

// R183
TEST_P(ConformanceMigrations, AppliesEachOnce) {
  apply({{"1", {DeleteObjects{}}}});
  keep("a", "{}");
  apply({{"1", {DeleteObjects{}}}, {"2", {}}});
  EXPECT_EQ(ids({}), Ids{"a"});
}

// R185
TEST_P(ConformanceMigrations, RebuildsAnIndexOfAnotherShape) {
  const auto by = [](std::string path) {
    return index("n", std::move(path), {.name = {}, .keys = {}, .unique = true});
  };
  apply({{"1", {by("name")}}});
  keep("a", R"({"name":"x","mail":"1"})");
  apply({{"1", {by("name")}}, {"2", {by("mail")}}});
  EXPECT_TRUE(is_stored(keep("b", R"({"name":"x","mail":"2"})")));
  EXPECT_TRUE(is_clash(keep("c", R"({"name":"y","mail":"2"})")));
  apply({{"1", {}}, {"2", {}}, {"3", {DropIndex{"n"}, DropIndex{"never was"}}}});
  EXPECT_TRUE(is_stored(keep("c", R"({"name":"y","mail":"2"})")));
}

TEST_P(ConformanceMigrations, RefusesAUniqueIndexThatObjectsClashIn) {
  apply({});
  keep("a", R"({"name":"x"})");
  keep("b", R"({"name":"x"})");
  const std::vector<Migration> migrations{
      {"1",
       {DeleteObjects{is("name", "y")},
        index("by name", "name", {.name = {}, .keys = {}, .unique = true})}}};
  const auto refused = try_apply(migrations);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::invalid);
  EXPECT_NE(refused.error().message.find("Component 'shop.wallets', migration '1'"),
            std::string::npos);
  EXPECT_NE(refused.error().message.find("by name"), std::string::npos);
  apply({{"0", {DeleteObjects{is("id", "b")}}}, migrations.front()});
  EXPECT_TRUE(is_clash(keep("b", R"({"name":"x"})")));
}

TEST_P(ConformanceMigrations, SearchesTheTextsOfAnIndex) {
  Index text{.name = "words", .keys = {{"title", Index::Kind::text}}};
  text.keys.push_back({"about.plot", Index::Kind::text});
  apply({});
  keep("a", R"({"title":"The running man","about":{"plot":"a game"}})");
  apply({{"1", {text}}});
  keep("b", R"({"title":"Ran","about":{"plot":"runs of an old king"}})");
  keep("c", R"({"title":"Żółw"})");
  EXPECT_EQ(ids({.search = "run"}), (Ids{"a", "b"}));
  EXPECT_EQ(ids({.search = "KING żółw"}), (Ids{"b", "c"}));
  EXPECT_EQ(ids({.search = "\"old king\" game"}), Ids{"b"});
  EXPECT_EQ(ids({.search = "run -game"}), Ids{"b"});
  EXPECT_EQ(ids({.search = "title:x OR \" NEAR( *"}), Ids{});
  EXPECT_EQ(ids({.search = "  "}), Ids{});
  EXPECT_EQ(ids({.criteria = is("title", "Ran"), .search = "run"}), Ids{"b"});
  commit({.writes = {write("b", 1, R"({"title":"Throne of blood"})")}});
  EXPECT_EQ(ids({.search = "king"}), Ids{});
  EXPECT_EQ(ids({.search = "blood"}), Ids{"b"});
}

TEST_P(ConformanceMigrations, RefusesToSearchWithoutATextIndex) {
  apply({});
  const auto refused = loop_.run_until(storage().find(wallets, {.search = "x"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::invalid);
}

// R189
TEST_P(ConformanceMigrations, RemovesObjectsWhoseTimeHasCome) {
  apply({{"1", {index("due", "due", {.name = {}, .keys = {}, .ttl = 60})}}});
  const auto moment = std::to_string(start);
  keep("number", "{\"due\":" + moment + "}");
  keep("text", R"({"due":"2023-11-14T22:13:20.000Z"})");
  // Further away than virtual time gets while a thread is waited for.
  keep("later", "{\"due\":" + std::to_string(start + 100'000'000'000) + "}");
  keep("null", R"({"due":null})");
  keep("none", "{}");
  keep("boolean", R"({"due":true})");
  loop_.advance(std::chrono::seconds(59));
  EXPECT_EQ(ids({}).size(), 6u);
  EXPECT_TRUE(load("number"));
  loop_.advance(std::chrono::minutes(2));
  const auto gone = [this]() -> Task<void> {
    while ((co_await storage().load(wallets, EntityId("number"))).value().has_value())
      co_await pause(loop_, std::chrono::milliseconds(1));
  };
  loop_.run_until(gone(), ManualLoop::Idle::jump);
  EXPECT_EQ(ids({}), (Ids{"boolean", "later", "none", "null"}));
  EXPECT_TRUE(is_stored(keep("number", "{}")));
  EXPECT_EQ(load("number")->version, Version(1));
}

TEST_P(ConformanceMigrations, RemovesAtTheStartWhatIsOverdue) {
  apply({});
  Unit many;
  for (int i = 0; i < 1'200; ++i) many.writes.push_back(write("o" + std::to_string(i), 0, "{}"));
  commit(std::move(many));
  clock_.jump(std::chrono::hours(1));
  apply({{"1", {index("age", "CREATED", {.name = {}, .keys = {}, .ttl = 600})}}});
  const auto gone = [this]() -> Task<void> {
    while (!(co_await storage().find(wallets, {})).value().empty())
      co_await pause(loop_, std::chrono::milliseconds(1));
  };
  loop_.run_until(gone(), ManualLoop::Idle::jump);
  EXPECT_FALSE(load("o0"));
}

}  // namespace toa::storage::conformance
