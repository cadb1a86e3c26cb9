#include <gtest/gtest.h>

#include "async/worker_thread.hpp"
#include "storage/queue_conformance.hpp"
#include "storage/sqlite/sqlite_storage.hpp"
#include "storage/sqlite/temporary_folder.hpp"

namespace toa::storage {
namespace queue_conformance {
namespace {

using sqlite::SqliteStorage;
using sqlite::TemporaryFolder;

/// As the program has it: a thread that writes, a thread that reads.
struct Threads {
  explicit Threads(Loop&) {}
  WorkerThread writer{"writer"}, reader{"reader"};
};

/// As the simulation has it: all in the loop.
struct OneThread {
  explicit OneThread(Loop& loop) : writer(loop), reader(loop) {}
  LoopExecutor writer, reader;
};

template <class Executors>
struct Sqlite final : Backend {
  Sqlite(Loop& loop, const Clock& clock) : executors(loop) {
    opened = SqliteStorage::open({.file = folder.path() + "/toa.db"},
                                 {loop, executors.writer, executors.reader, clock, faults})
                 .value();
  }
  Storage& storage() override { return *opened; }
  Queue& queue() override { return *opened; }

  TemporaryFolder folder;
  Faults faults;
  std::unique_ptr<SqliteStorage> opened;
  Executors executors;
};

template <class Executors>
Kind kind(std::string name) {
  return {std::move(name), [](ManualLoop& loop, const Clock& clock) {
            return std::make_unique<Sqlite<Executors>>(loop, clock);
          }};
}

INSTANTIATE_TEST_SUITE_P(Sqlite, QueueConformance,
                         ::testing::Values(kind<Threads>("threads"), kind<OneThread>("one_thread")),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace queue_conformance

namespace sqlite {
namespace {

using queue_conformance::message;
using queue_conformance::start;
using queue_conformance::wallets;

class SqliteQueueTest : public ::testing::Test {
 protected:
  void open(const std::string& fault = {}) {
    faults_ = std::make_unique<Faults>();
    ASSERT_TRUE(faults_->arm(fault));
    storage_ = SqliteStorage::open({.file = file_}, {loop_, executor_, executor_, clock_, *faults_})
                   .value();
    ASSERT_TRUE(loop_.run_until(storage_->prepare({wallets})));
  }
  void reopen(const std::string& fault = {}) {
    loop_.run_until(storage_->close());
    storage_.reset();
    open(fault);
  }
  ~SqliteQueueTest() override { loop_.run_until(storage_->close()); }

  Result<Commit> put(std::int64_t number) {
    return loop_.run_until(storage_->commit({.messages = {message(number)}}));
  }
  std::int64_t last_number() { return loop_.run_until(storage_->last_number()).value().value; }

  TemporaryFolder folder_;
  std::string file_ = folder_.path() + "/toa.db";
  ManualClock clock_{start};
  ManualLoop loop_;
  LoopExecutor executor_{loop_};
  std::unique_ptr<Faults> faults_;
  std::unique_ptr<SqliteStorage> storage_;
};

TEST_F(SqliteQueueTest, NoNumberIsGivenTwiceAfterARestart) {
  open();
  ASSERT_TRUE(put(7));
  ASSERT_TRUE(loop_.run_until(storage_->commit({.fates = {Acknowledge{MessageNumber(7)}}})));
  reopen();
  EXPECT_GE(last_number(), 7);
}

TEST_F(SqliteQueueTest, ARolledBackBatchLowersNoNumber) {
  open("commit.written:3=fail");
  ASSERT_TRUE(put(50'000));  // prepare was the first commit
  const auto before = last_number();
  bool failed = false;
  for (std::int64_t n = 1; n <= 4; ++n) failed |= !put(n);
  EXPECT_TRUE(failed);
  EXPECT_GE(last_number(), before);
}

// A file whose count was lost, or that was written by hand.
TEST_F(SqliteQueueTest, GivesNoNumberBelowThatOfAMessage) {
  open();
  ASSERT_TRUE(put(70'000));
  reopen();
  auto connection = Connection::open(file_, {}, Access::read_write);
  ASSERT_TRUE(connection);
  connection->run("DELETE FROM meta WHERE key = 'number'");
  EXPECT_EQ(last_number(), 70'000);
}

// Whatever the backlog, every read steps over rows by an index alone.
TEST_F(SqliteQueueTest, ReadsABacklogByItsIndexes) {
  open();
  auto connection = Connection::open(file_, {}, Access::read_only);
  ASSERT_TRUE(connection);
  const std::string of = "FROM messages WHERE component = 'a' AND parked_at IS NULL AND ";
  const std::string ordered = " ORDER BY due, number LIMIT 9";
  const auto steps = [&](const std::string& sql) {
    const auto plan = connection->prepare("EXPLAIN QUERY PLAN " + sql);
    sqlite::Run run(plan);
    std::string all;
    while (run.row()) all += run.text_at(3) + "; ";
    return all;
  };
  EXPECT_EQ(steps("SELECT number, body " + of + "due = 5 AND number > 3" + ordered),
            "SEARCH messages USING INDEX messages_due (component=? AND due=? AND rowid>?); ");
  EXPECT_EQ(steps("SELECT number, body " + of + "due > 5 AND due <= 9" + ordered),
            "SEARCH messages USING INDEX messages_due (component=? AND due>? AND due<?); ");
  EXPECT_EQ(steps("SELECT min(due) " + of + "due > 5"),
            "SEARCH messages USING INDEX messages_due (component=? AND due>?); ");
  EXPECT_EQ(steps("SELECT max(number) FROM messages"), "SEARCH messages; ");
}

}  // namespace
}  // namespace sqlite
}  // namespace toa::storage
