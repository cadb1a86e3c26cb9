#include "storage/sqlite/unmanaged.hpp"

#include <gtest/gtest.h>

#include "storage/conformance_fixture.hpp"
#include "storage/sqlite/sqlite_storage.hpp"
#include "storage/sqlite/temporary_folder.hpp"

namespace toa::storage::sqlite {
namespace {

using conformance::start;
using conformance::wallets;
using conformance::write;

class UnmanagedTest : public ::testing::Test {
 protected:
  UnmanagedTest() {
    storage_ = SqliteStorage::open({.file = folder_.path() + "/toa.db"},
                                   {loop_, executor_, executor_, clock_, faults_})
                   .value();
    EXPECT_TRUE(loop_.run_until(storage_->prepare({wallets, ComponentId("shop.secrets")})));
    auto secret = write("s", 0, R"({"pin":1})");
    secret.component = ComponentId("shop.secrets");
    auto deleted = write("c", 0, R"({"name":"z"})");
    deleted.next.deleted = start;
    EXPECT_TRUE(loop_.run_until(storage_->commit(
        {.writes = {secret, write("a", 0, R"({"name":"x","n":1.5})"),
                    write("b", 0, R"({"name":"y","tags":["p","q"]})"), deleted}})));
  }
  ~UnmanagedTest() override { loop_.run_until(storage_->close()); }

  std::string query(std::string sql, JsonArray values = {}) {
    auto rows = loop_.run_until(storage_->query(wallets, std::move(sql), std::move(values)));
    if (rows) return *rows;
    EXPECT_EQ(rows.error().kind, ErrorKind::invalid);
    return rows.error().message;
  }
  bool is_refused(std::string sql) { return query(std::move(sql)).starts_with("unmanaged: "); }

  TemporaryFolder folder_;
  ManualClock clock_{start};
  ManualLoop loop_;
  LoopExecutor executor_{loop_};
  Faults faults_;
  std::unique_ptr<SqliteStorage> storage_;
};

TEST_F(UnmanagedTest, ReadsTheObjectsOfItsComponent) {
  EXPECT_EQ(query("SELECT id, VERSION, DELETED, properties ->> 'n' AS n FROM objects WHERE id = ?",
                  {"a"}),
            R"([{"id":"a","VERSION":1,"DELETED":null,"n":1.5}])");
  EXPECT_EQ(query("SELECT count(*) AS n FROM objects WHERE DELETED IS NULL"), R"([{"n":2}])");
  EXPECT_EQ(query("SELECT o.id, t.value FROM objects o, json_each(o.properties, '$.tags') t"),
            R"([{"id":"b","value":"p"},{"id":"b","value":"q"}])");
  EXPECT_EQ(query("WITH x AS (SELECT max(id) AS m FROM objects) SELECT m, ? AS a, ? AS b FROM x",
                  {true, "it's"}),
            R"([{"m":"c","a":1,"b":"it's"}])");
  EXPECT_EQ(query("SELECT id FROM objects WHERE 0"), "[]");
}

TEST_F(UnmanagedTest, ReadsNothingElse) {
  for (const auto* sql :
       {"SELECT * FROM \"object_shop.secrets\"", "SELECT * FROM inbox", "SELECT * FROM messages",
        "SELECT * FROM sqlite_schema", "SELECT * FROM sqlite_temp_schema",
        "SELECT * FROM main.sqlite_master", "SELECT count(*) FROM inbox", "SELECT 1 FROM meta",
        "SELECT (SELECT count(*) FROM \"object_shop.secrets\") FROM objects",
        "WITH objects AS (SELECT * FROM inbox) SELECT * FROM objects",
        "SELECT * FROM pragma_table_info('inbox')", "PRAGMA table_info(inbox)",
        "PRAGMA query_only = OFF", "ATTACH ':memory:' AS other", "SELECT load_extension('x')",
        "EXPLAIN SELECT 1 FROM inbox"})
    EXPECT_TRUE(is_refused(sql)) << sql << ": " << query(sql);
}

TEST_F(UnmanagedTest, WritesNothing) {
  for (const auto* sql :
       {"DELETE FROM objects", "UPDATE objects SET id = 'x'", "INSERT INTO objects VALUES (1)",
        "DELETE FROM \"object_shop.wallets\"", "CREATE TABLE t (x)", "CREATE TEMP TABLE t (x)",
        "DROP VIEW objects", "DROP TABLE inbox", "BEGIN", "VACUUM", "REINDEX", "ANALYZE"})
    EXPECT_TRUE(is_refused(sql)) << sql;
  EXPECT_EQ(query("SELECT count(*) AS n FROM objects"), R"([{"n":3}])");
}

TEST_F(UnmanagedTest, RefusesWhatIsNoOneStatement) {
  EXPECT_TRUE(is_refused("SELECT 1; SELECT 2"));
  EXPECT_TRUE(is_refused(""));
  EXPECT_TRUE(is_refused("SELECT"));
  EXPECT_TRUE(is_refused("SELECT ?"));
  EXPECT_EQ(query("SELECT ? AS x", JsonArray{Json(JsonArray())}),
            "unmanaged: a value must be a text, a number, true, false or null");
  EXPECT_EQ(query("SELECT x'00' AS b"), "unmanaged: column 'b' is a blob, which JSON has not");
  EXPECT_EQ(query("SELECT 1 AS one; "), R"([{"one":1}])");
}

TEST_F(UnmanagedTest, BoundsTheAnswer) {
  EXPECT_TRUE(
      is_refused("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                 " LIMIT 200000) SELECT i FROM n"));
  EXPECT_TRUE(is_refused("SELECT length(randomblob(1000000000))"));
}

/// A clock that is late: every look at it is an hour after the one before.
class HastyClock final : public Clock {
 public:
  EpochMs now() const override { return start; }
  std::chrono::nanoseconds steady() const override { return std::chrono::hours(++looks_); }

 private:
  mutable int looks_ = 0;
};

TEST_F(UnmanagedTest, BoundsTheTime) {
  const HastyClock clock;
  Unmanaged unmanaged(folder_.path() + "/toa.db", {}, clock);
  const auto rows = unmanaged.query(
      wallets,
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n", {});
  ASSERT_FALSE(rows);
  EXPECT_NE(rows.error().message.find("took longer than"), std::string::npos);
}

}  // namespace
}  // namespace toa::storage::sqlite
