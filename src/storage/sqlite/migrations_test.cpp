#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "storage/conformance_fixture.hpp"
#include "storage/sqlite/index_sql.hpp"
#include "storage/sqlite/schema.hpp"
#include "storage/sqlite/selection_sql.hpp"
#include "storage/sqlite/sqlite_storage.hpp"
#include "storage/sqlite/temporary_folder.hpp"

namespace toa::storage::sqlite {
namespace {

using conformance::condition;
using conformance::is;
using conformance::start;
using conformance::wallets;
using conformance::write;

Index index(std::string name, std::vector<Index::Key> keys) {
  return {.name = std::move(name), .keys = std::move(keys)};
}

class Migrations : public ::testing::Test {
 protected:
  ~Migrations() override {
    if (storage_) close();
  }
  Result<void> open(std::vector<Migration> migrations) {
    storage_ = SqliteStorage::open({.file = file_}, {loop_, executor_, executor_, clock_, faults_})
                   .value();
    return loop_.run_until(storage_->prepare({Collection(wallets, std::move(migrations))}));
  }
  void close() {
    loop_.run_until(storage_->close());
    storage_.reset();
  }
  void keep(std::string id, std::string properties) {
    ASSERT_TRUE(loop_.run_until(
        storage_->commit({.writes = {write(std::move(id), 0, std::move(properties))}})));
  }
  std::string ask(const std::string& sql) {
    return Connection::open(file_, {}, Access::read_write).value().ask(sql);
  }
  /// How SQLite goes about a selection, line by line.
  std::string plan(const Selection& selection) {
    auto connection = Connection::open(file_, {}, Access::read_only).value();
    const auto sql = select_objects(wallets, selection, std::nullopt).value();
    const auto statement = connection.prepare("EXPLAIN QUERY PLAN " + sql.text());
    sqlite::Run run(statement);
    std::string plan;
    for (run.all(sql.values()); run.row();) plan += run.text_at(3) + "\n";
    return plan;
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.path() + "/toa.db";
  ManualClock clock_{start};
  ManualLoop loop_{clock_};
  LoopExecutor executor_{loop_};
  Faults faults_;
  std::unique_ptr<SqliteStorage> storage_;
};

// R183
TEST_F(Migrations, AreRememberedByTheFile) {
  ASSERT_TRUE(open({{"1", {DeleteObjects{}}}}));
  keep("a", "{}");
  close();
  ASSERT_TRUE(open({{"1", {DeleteObjects{}}}}));
  close();
  EXPECT_EQ(ask("SELECT count(*) FROM \"object_shop.wallets\""), "1");
  EXPECT_EQ(ask("SELECT id FROM migrations WHERE component = 'shop.wallets'"), "1");
}

// R184
TEST_F(Migrations, StartOverWhereTheyWereInterrupted) {
  ASSERT_TRUE(open({}));
  keep("a", R"({"n":1})");
  close();
  UpdateObjects update{.set = {{"seen", true}}};
  const std::vector<Migration> migrations{{"1", {update, index("n", {{"n"}})}}};
  ASSERT_TRUE(faults_.arm("migration.written:1=fail"));
  EXPECT_FALSE(open(migrations));
  close();
  EXPECT_EQ(ask("SELECT properties FROM \"object_shop.wallets\""), R"({"n":1})");
  EXPECT_EQ(ask("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'index%'"), "1");
  ASSERT_TRUE(open(migrations));
  close();
  EXPECT_EQ(ask("SELECT properties FROM \"object_shop.wallets\""), R"({"n":1,"seen":true})");
}

// R185
TEST_F(Migrations, LeaveAnIndexThatWasDroppedByHand) {
  const std::vector<Migration> migrations{{"1", {index("n", {{"n"}})}}};
  ASSERT_TRUE(open(migrations));
  close();
  ask("DROP INDEX index_1");
  ASSERT_TRUE(open(migrations));
  close();
  EXPECT_EQ(ask("SELECT count(*) FROM sqlite_schema WHERE name = 'index_1'"), "0");
  ASSERT_TRUE(open({migrations.front(), {"2", {DropIndex{"n"}}}}));
}

TEST_F(Migrations, BringAnOlderFileUpToDate) {
  ASSERT_TRUE(open({}));
  keep("a", R"({"n":1})");
  close();
  ask("DROP TABLE migrations");
  ask("DROP TABLE indexes");
  ask("DROP TABLE inbox_slices");
  ask("DROP INDEX messages_stated");
  ask("ALTER TABLE messages DROP COLUMN stated");
  ask("PRAGMA user_version = 1");
  ASSERT_TRUE(open({{"1", {index("n", {{"n"}})}}}));
  close();
  EXPECT_EQ(ask("PRAGMA user_version"), std::to_string(format_version));
  EXPECT_EQ(ask("SELECT count(*) FROM indexes"), "1");
}

TEST_F(Migrations, ServeQueriesByTheirIndexes) {
  Index partial = index("p", {{"mail"}});
  partial.partial = is("DELETED", nullptr);
  ASSERT_TRUE(
      open({{"1",
             {index("1", {{"name"}}), index("2", {{"terms.due", Index::Kind::descending}}),
              index("3", {{"a"}, {"b"}}), index("4", {{"REGION", Index::Kind::hash}}), partial}}}));
  const auto uses = [&](const Selection& selection, int number) {
    const auto how = plan(selection);
    EXPECT_NE(how.find("INDEX index_" + std::to_string(number)), std::string::npos) << how;
    return how;
  };
  const std::vector<Step> due{{"terms"}, {"due"}};
  uses({.criteria = is("name", "x"), .limit = 10}, 1);
  uses({.criteria = condition({{"name"}}, Comparison::in, {"x", "y"})}, 1);
  uses({.criteria = condition({{"name"}}, Comparison::greater, {"x"}), .limit = 10}, 1);
  uses({.criteria = is("name", nullptr), .limit = 10}, 1);
  uses({.criteria = condition(due, Comparison::at_least, {1.5}), .limit = 10}, 2);
  uses({.criteria = Criteria{Criteria::All{{is("a", 1), is("b", "x")}}}}, 3);
  uses({.criteria = is("REGION", 1)}, 4);
  uses({.criteria = is("mail", "x")}, 5);
  // In order of an index nothing is sorted.
  for (const auto& how : {uses({.sort = {{"name"}}, .limit = 10}, 1),
                          uses({.sort = {{"terms.due", true}}, .omit = 5, .limit = 10}, 2),
                          uses({.criteria = is("a", 1), .sort = {{"b"}}, .limit = 10}, 3),
                          uses({.criteria = is("mail", "x"), .sort = {{"id"}}, .limit = 10}, 5)})
    EXPECT_EQ(how.find("B-TREE"), std::string::npos) << how;
}

TEST_F(Migrations, RefuseWhatSqliteCannotIndex) {
  Index through = index("l", {{"n"}});
  through.partial = condition({{"items", true}, {"n"}}, Comparison::equal, {1});
  const auto refused = open({{"1", {through}}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("'items.n' leads through a list"), std::string::npos)
      << refused.error().message;
  close();
  EXPECT_FALSE(open({{"1", {index("q", {{"a\"b"}})}}}));
}

TEST_F(Migrations, QuoteWhatAnAuthorNames) {
  Index odd = index("it's", {{"we're '); DROP TABLE meta; --"}});
  odd.partial = is("name", "x') OR 1=1; --");
  odd.unique = true;
  ASSERT_TRUE(open({{"'1'", {odd}}}));
  keep("a", R"({"name":"x') OR 1=1; --","we're '); DROP TABLE meta; --":1})");
  const auto clash = loop_.run_until(storage_->commit(
      {.writes = {
           write("b", 0, R"({"name":"x') OR 1=1; --","we're '); DROP TABLE meta; --":1})")}}));
  ASSERT_TRUE(std::holds_alternative<Clash>(*clash));
  EXPECT_EQ(std::get<Clash>(*clash).index, "it's");
}

// A half of all objects is lent, and one in a thousand is on a shelf.
TEST_F(Migrations, OfTwoIndexesTheOneThatLeadsToFewerObjectsServes) {
  ASSERT_TRUE(open({{"1", {index("shelf", {{"shelf"}}), index("lent", {{"lent"}})}}}));
  const Selection lent_on_a_shelf{
      .criteria = Criteria{Criteria::All{{is("lent", 1), is("shelf", 7)}}}, .limit = 10};
  const auto served = [&] { return plan(lent_on_a_shelf); };
  const auto begun = served();
  Unit unit;
  for (std::int64_t i = 0; i < limits::statistics_after_objects; ++i) {
    unit.writes.push_back(write(fmt::format("b{:06}", i), 0,
                                fmt::format(R"({{"shelf":{},"lent":{}}})", i % 1'000, i % 2)));
  }
  ASSERT_TRUE(loop_.run_until(storage_->commit(std::move(unit))));
  const auto shelf = "index_" + ask("SELECT number FROM indexes WHERE name = 'shelf'");
  EXPECT_TRUE(served().contains(shelf)) << begun << served();
}

TEST_F(Migrations, WhatIsKnownOfAnIndexIsLearntAtTheStartWhereItIsMissing) {
  ASSERT_TRUE(open({{"1", {index("lent", {{"lent"}})}}}));
  keep("a", R"({"lent":1})");
  close();
  ASSERT_TRUE(open({{"1", {index("lent", {{"lent"}})}}}));
  EXPECT_EQ(ask("SELECT count(*) FROM sqlite_stat1 WHERE idx = 'index_1'"), "1");
}

}  // namespace
}  // namespace toa::storage::sqlite
