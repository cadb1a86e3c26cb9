#include "storage/sqlite/sqlite_storage.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <ranges>
#include <sys/stat.h>

#include "async/worker_thread.hpp"
#include "storage/conformance.hpp"
#include "storage/conformance_find.hpp"
#include "storage/conformance_migrations.hpp"
#include "storage/sqlite/schema.hpp"
#include "storage/sqlite/temporary_folder.hpp"

namespace toa::storage {
namespace conformance {
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
  Sqlite(Loop& loop, const Clock& clock, bool accepts_early = true) : executors(loop) {
    opened =
        SqliteStorage::open({.file = folder.path() + "/toa.db", .accepts_early = accepts_early},
                            {loop, executors.writer, executors.reader, clock, faults})
            .value();
  }
  Storage& storage() override { return *opened; }

  TemporaryFolder folder;
  Faults faults;
  std::unique_ptr<SqliteStorage> opened;
  Executors executors;
};

template <class Executors>
Kind kind(std::string name, bool accepts_early = true) {
  return {std::move(name), [accepts_early](ManualLoop& loop, const Clock& clock) {
            return std::make_unique<Sqlite<Executors>>(loop, clock, accepts_early);
          }};
}

const auto kinds = ::testing::Values(kind<Threads>("threads"), kind<OneThread>("one_thread"),
                                     kind<OneThread>("plain", false));
const auto name_of = [](const auto& test) { return test.param.name; };

INSTANTIATE_TEST_SUITE_P(Sqlite, Conformance, kinds, name_of);
INSTANTIATE_TEST_SUITE_P(Sqlite, ConformanceFind, kinds, name_of);
INSTANTIATE_TEST_SUITE_P(Sqlite, ConformanceMigrations, kinds, name_of);

/// As one whose components declare indexes: these change no answer.
std::unique_ptr<Backend> indexed(ManualLoop& loop, const Clock& clock) {
  auto backend = std::make_unique<Sqlite<OneThread>>(loop, clock);
  Steps steps;
  for (const auto* path : {"name", "pages", "lent", "terms.due", "terms.note", "REGION", "absent"})
    steps.emplace_back(index(path, path));
  steps.emplace_back(
      Index{.name = "two", .keys = {{"pages", Index::Kind::descending}, {"name"}}, .sparse = true});
  steps.emplace_back(
      Index{.name = "three",
            .keys = {{"terms.due"}},
            .partial = Criteria{Criteria::All{{is("DELETED", nullptr), is("lent", true)}}}});
  EXPECT_TRUE(loop.run_until(backend->opened->prepare({Collection(wallets, {{"1", steps}})})));
  return backend;
}

INSTANTIATE_TEST_SUITE_P(SqliteIndexed, ConformanceFind,
                         ::testing::Values(Kind{"indexed", indexed}), name_of);

}  // namespace
}  // namespace conformance

namespace sqlite {
namespace {

using conformance::credit;
using conformance::identity;
using conformance::start;
using conformance::wallets;
using conformance::window;
using conformance::write;

class SqliteStorageTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<SqliteStorage>> try_open() {
    return SqliteStorage::open({.file = file_}, {loop_, executor_, executor_, clock_, faults_});
  }
  void open() {
    storage_ = try_open().value();
    ASSERT_TRUE(loop_.run_until(storage_->prepare({wallets})));
  }
  void close() {
    loop_.run_until(storage_->close());
    storage_.reset();
  }
  void reopen() {
    close();
    open();
  }
  Result<Commit> commit(Unit unit) { return loop_.run_until(storage_->commit(std::move(unit))); }
  bool recalls(Identity id) {
    return loop_.run_until(storage_->recall(credit, id)).value().has_value();
  }
  Remembered record(Identity id) { return {credit, id, window, "1"}; }
  std::string ask(const std::string& sql) {
    return Connection::open(file_, {}, Access::read_write).value().ask(sql);
  }
  /// Records of calls in all tables.
  int records() {
    int count = std::stoi(ask("SELECT count(*) FROM inbox"));
    const auto tables = ask("SELECT group_concat(id) FROM inbox_slices");
    for (const auto& id : std::views::split(tables, ',')) {
      const std::string number(id.begin(), id.end());
      if (!number.empty()) count += std::stoi(ask("SELECT count(*) FROM inbox_" + number));
    }
    return count;
  }
  Error refused_open() {
    const auto opened = try_open();
    EXPECT_FALSE(opened);
    EXPECT_NE(opened.error().message.find(file_), std::string::npos) << opened.error().message;
    return opened.error();
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.path() + "/toa.db";
  ManualClock clock_{start};
  ManualLoop loop_;
  LoopExecutor executor_{loop_};
  Faults faults_;
  std::unique_ptr<SqliteStorage> storage_;
};

TEST_F(SqliteStorageTest, FindsAllAfterItWasClosedAndOpened) {
  open();
  const auto created = write("a", 0, R"({"balance":5})");
  ASSERT_TRUE(commit({.writes = {created}, .remembered = record(identity(1))}));
  ASSERT_TRUE(commit(
      {.remembered = Remembered{credit, identity(2), std::chrono::seconds(1'000), std::nullopt}}));
  reopen();
  EXPECT_EQ(loop_.run_until(storage_->load(wallets, EntityId("a"))).value(), created.next);
  EXPECT_EQ(loop_.run_until(storage_->recall(credit, identity(1))).value()->reply, "1");
  EXPECT_EQ(loop_.run_until(storage_->recall(credit, identity(2))).value()->reply, std::nullopt);
  close();
}

TEST_F(SqliteStorageTest, KeepsTheTimeOfExpiryOverARestart) {
  open();
  ASSERT_TRUE(commit({.remembered = record(identity(1))}));
  clock_.advance(2 * window);
  ASSERT_TRUE(commit({.writes = {write("a", 0, "{}")}}));
  close();
  clock_.jump(-2 * window);
  open();
  EXPECT_FALSE(recalls(identity(1)));
  close();
}

// A jump found at the start may be a clock that is wrong: nothing is gone for good by it.
// A start that nothing followed has seen the time all the same.
TEST_F(SqliteStorageTest, AClockThatWasSetBackBeforeAnythingWasStoredIsNoticed) {
  open();
  close();
  clock_.jump(-10 * window);
  open();
  ASSERT_TRUE(commit({.remembered = record(identity(1))}));
  close();
  clock_.jump(10 * window);
  open();
  EXPECT_TRUE(recalls(identity(1)));
  close();
}

TEST_F(SqliteStorageTest, DeletesNothingByAJumpThatItStartsWith) {
  open();
  ASSERT_TRUE(commit({.remembered = record(identity(1))}));
  close();
  clock_.jump(100 * window);
  open();
  EXPECT_FALSE(recalls(identity(1)));
  ASSERT_TRUE(commit({.remembered = record(identity(2))}));
  EXPECT_EQ(records(), 2);
  clock_.advance(3 * window);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(commit({.writes = {write("a", i, "{}")}}));
  close();
  EXPECT_EQ(records(), 0);
}

// D6
TEST_F(SqliteStorageTest, AForwardJumpForgetsNothingAtOnce) {
  open();
  ASSERT_TRUE(commit({.remembered = record(identity(1))}));
  clock_.jump(100 * window);
  EXPECT_TRUE(recalls(identity(1)));
  ASSERT_TRUE(commit({.writes = {write("a", 0, "{}")}}));
  reopen();
  EXPECT_TRUE(recalls(identity(1)));
  clock_.advance(std::chrono::seconds(1));
  ASSERT_TRUE(commit({.remembered = record(identity(2))}));
  clock_.advance(window - std::chrono::seconds(1));
  // It turns out to be right, and what was remembered after it has its whole window all the same.
  EXPECT_FALSE(recalls(identity(1)));
  EXPECT_TRUE(recalls(identity(2)));
  close();
}

TEST_F(SqliteStorageTest, ALostRaceDropsWhatAHandWroteOver) {
  open();
  ASSERT_TRUE(commit({.writes = {write("a", 0, R"({"balance":5})")}}));
  ask("UPDATE " + object_table(wallets) + " SET version = 7");
  EXPECT_TRUE(std::holds_alternative<Lost>(commit({.writes = {write("a", 1, "{}")}}).value()));
  EXPECT_EQ(loop_.run_until(storage_->load(wallets, EntityId("a"))).value()->version, Version(7));
  EXPECT_TRUE(std::holds_alternative<Stored>(commit({.writes = {write("a", 7, "{}")}}).value()));
  close();
}

TEST_F(SqliteStorageTest, RemovesExpiredRecordsAsOthersCome) {
  open();
  for (std::uint8_t i = 0; i < 200; ++i)
    ASSERT_TRUE(commit({.remembered = record(identity(1, i))}));
  clock_.advance(2 * window);
  for (std::uint8_t i = 0; i < 20; ++i) ASSERT_TRUE(commit({.remembered = record(identity(2, i))}));
  close();
  EXPECT_EQ(records(), 20);
}

TEST_F(SqliteStorageTest, AnswersUnavailableWhereTheCommitFails) {
  open();
  ASSERT_TRUE(faults_.arm("commit.before:1=fail,commit.written:1=fail"));
  for (int i = 0; i < 2; ++i) {
    const auto refused =
        commit({.writes = {write("a", 0, "{}")}, .remembered = record(identity(1))});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::unavailable);
  }
  EXPECT_FALSE(recalls(identity(1)));
  EXPECT_TRUE(std::holds_alternative<Stored>(
      commit({.writes = {write("a", 0, "{}")}, .remembered = record(identity(1))}).value()));
  close();
}

TEST_F(SqliteStorageTest, SharesOneTransactionAmongUnitsOfOneTurn) {
  open();
  Scope scope(loop_);
  // The first `commit.before` of a hundred units is the only one.
  ASSERT_TRUE(faults_.arm("commit.before:2=fail"));
  int stored = 0;
  const auto one = [](Storage& storage, int i, int& count) -> Task<void> {
    const auto outcome = co_await storage.commit({.writes = {write(std::to_string(i), 0, "{}")}});
    if (outcome) ++count;
  };
  for (int i = 0; i < 100; ++i) scope.spawn(one(*storage_, i, stored));
  loop_.run_until(scope.close());
  EXPECT_EQ(stored, 100);
  close();
}

TEST_F(SqliteStorageTest, KeepsItsFilesToItsUser) {
  open();
  ASSERT_TRUE(commit({.writes = {write("a", 0, "{}")}}));
  for (const std::string suffix : {"", "-wal", "-shm"}) {
    struct stat found{};
    ASSERT_EQ(::stat((file_ + suffix).c_str(), &found), 0) << suffix;
    EXPECT_EQ(found.st_mode & 0777, 0600u) << suffix;
  }
  close();
}

TEST_F(SqliteStorageTest, StoresAsDurablyAsItSays) {
  open();
  close();
  EXPECT_EQ(ask("PRAGMA journal_mode"), "wal");
  EXPECT_EQ(ask("PRAGMA page_size"), "4096");
  EXPECT_EQ(ask("PRAGMA application_id"), std::to_string(application_id));
  EXPECT_EQ(ask("PRAGMA user_version"), std::to_string(format_version));
}

TEST_F(SqliteStorageTest, RefusesAFileOfANewerVersion) {
  open();
  close();
  ask("PRAGMA user_version = 99");
  const auto error = refused_open();
  EXPECT_EQ(error.kind, ErrorKind::invalid);
  EXPECT_NE(error.message.find("newer Toa"), std::string::npos);
  EXPECT_EQ(ask("PRAGMA user_version"), "99");
}

TEST_F(SqliteStorageTest, RefusesADatabaseOfAnotherProgram) {
  ask("CREATE TABLE theirs (x)");
  EXPECT_EQ(refused_open().kind, ErrorKind::invalid);
  EXPECT_EQ(ask("SELECT count(*) FROM sqlite_schema"), "1");
}

TEST_F(SqliteStorageTest, RefusesWhatIsNoDatabase) {
  std::ofstream(file_) << std::string(10'000, 'x');
  const auto error = refused_open();
  EXPECT_EQ(error.kind, ErrorKind::broken);
  EXPECT_NE(error.message.find("damaged"), std::string::npos);
}

TEST_F(SqliteStorageTest, TellsOfDamageWhereItMeetsIt) {
  open();
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(commit({.writes = {write(std::to_string(i), 0, std::string(3'000, ' '))}}));
  close();
  {
    std::fstream bytes(file_, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(24 * 4096);
    bytes << std::string(250'000, '\x7f');
  }
  storage_ = try_open().value();
  const auto prepared = loop_.run_until(storage_->prepare({wallets}));
  const auto read = loop_.run_until(storage_->load(wallets, EntityId("50")));
  const auto written = commit({.writes = {write("50", 1, "{}")}});
  ASSERT_TRUE(prepared);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::broken);
  EXPECT_NE(read.error().message.find("database disk image is malformed"), std::string::npos);
  EXPECT_FALSE(written);
  close();
}

TEST_F(SqliteStorageTest, SaysWhyAFileCannotBeMade) {
  file_ = folder_.path() + "/absent/toa.db";
  EXPECT_NE(refused_open().message.find("No such file or directory"), std::string::npos);
}

}  // namespace
}  // namespace sqlite
}  // namespace toa::storage
