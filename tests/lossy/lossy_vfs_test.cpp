#include "lossy/lossy_vfs.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <string>

#include "storage/sqlite/temporary_folder.hpp"

namespace toa::lossy {
namespace {

/// A connection that says what it was told.
class Db {
 public:
  Db(const std::string& file, const Vfs& vfs) {
    code_ = sqlite3_open_v2(file.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                            vfs.name().c_str());
  }
  ~Db() { sqlite3_close_v2(db_); }
  Db(const Db&) = delete;
  Db& operator=(const Db&) = delete;

  int code() const { return code_; }
  int run(const std::string& sql) {
    return sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  }
  int ask(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    int value = -1;
    if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
      value = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return value;
  }

 private:
  sqlite3* db_ = nullptr;
  int code_ = SQLITE_OK;
};

class LossyVfs : public ::testing::Test {
 protected:
  /// Makes a table, commits three rows under `synchronous` and loses the power; the rows that are
  /// left.
  int rows_after_crash(const std::string& journal, const std::string& synchronous) {
    {
      Db db(file_, vfs_);
      EXPECT_EQ(db.run("PRAGMA journal_mode=" + journal +
                       "; PRAGMA synchronous=FULL;"
                       "CREATE TABLE t (x)"),
                SQLITE_OK);
      EXPECT_EQ(db.run("PRAGMA synchronous=" + synchronous), SQLITE_OK);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(db.run("INSERT INTO t VALUES (1)"), SQLITE_OK);
      EXPECT_EQ(db.ask("SELECT count(*) FROM t"), 3);
      vfs_.crash();
    }
    Db db(file_, vfs_);
    EXPECT_EQ(db.ask("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"),
              1);
    return db.ask("SELECT count(*) FROM t");
  }

  storage::sqlite::TemporaryFolder folder_;
  std::string file_ = folder_.path() + "/t.db";
  Vfs vfs_{"lossy_test"};
};

TEST_F(LossyVfs, KeepsWhatWasCommittedWithSync) {
  EXPECT_EQ(rows_after_crash("WAL", "FULL"), 3);
}

TEST_F(LossyVfs, LosesWhatTheLogWasNotSyncedFor) {
  EXPECT_EQ(rows_after_crash("WAL", "NORMAL"), 0);
}

TEST_F(LossyVfs, LosesWhatWasCommittedWithoutSync) {
  EXPECT_EQ(rows_after_crash("WAL", "OFF"), 0);
}

TEST_F(LossyVfs, KeepsWhatWasCommittedWithARollbackJournal) {
  EXPECT_EQ(rows_after_crash("TRUNCATE", "FULL"), 3);
}

TEST_F(LossyVfs, ShowsUnsyncedWritesToAllConnections) {
  Db writer(file_, vfs_);
  writer.run(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; CREATE TABLE t (x);"
      "INSERT INTO t VALUES (1)");
  Db reader(file_, vfs_);
  EXPECT_EQ(reader.ask("SELECT count(*) FROM t"), 1);
}

TEST_F(LossyVfs, FailsFilesThatWereOpenAtTheCrash) {
  Db db(file_, vfs_);
  db.run("PRAGMA journal_mode=WAL; CREATE TABLE t (x)");
  vfs_.crash();
  EXPECT_NE(db.run("INSERT INTO t VALUES (1)"), SQLITE_OK);
  EXPECT_NE(Db(file_, vfs_).ask("SELECT 1 FROM sqlite_schema"), 1);
}

TEST_F(LossyVfs, KeepsCheckpointedDataOverManyCrashes) {
  for (int round = 1; round <= 8; ++round) {
    {
      Db db(file_, vfs_);
      db.run(
          "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=5;"
          "CREATE TABLE IF NOT EXISTS t (x)");
      for (int i = 0; i < 20; ++i)
        ASSERT_EQ(db.run("INSERT INTO t VALUES (randomblob(3000))"), SQLITE_OK);
      // Half of the lives end in order: the log is deleted, without a sync of the folder.
      if (round % 2) vfs_.crash(round);
    }
    vfs_.crash(100 + round);
    Db db(file_, vfs_);
    EXPECT_EQ(db.ask("SELECT count(*) FROM t"), 20 * round);
    EXPECT_EQ(db.ask("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"),
              1);
  }
}

TEST_F(LossyVfs, HoldsWritesBackFromTheRealFile) {
  Db db(file_, vfs_);
  db.run("PRAGMA journal_mode=WAL; CREATE TABLE t (x); PRAGMA synchronous=NORMAL");
  const auto before = std::filesystem::file_size(file_ + "-wal");
  db.run("INSERT INTO t VALUES (randomblob(20000))");
  EXPECT_EQ(std::filesystem::file_size(file_ + "-wal"), before);
  db.run("PRAGMA synchronous=FULL; INSERT INTO t VALUES (1)");
  EXPECT_GT(std::filesystem::file_size(file_ + "-wal"), before + 20'000);
}

}  // namespace
}  // namespace toa::lossy
