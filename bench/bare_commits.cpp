#include <array>
#include <memory>
#include <sqlite3.h>

#include "base/random.hpp"
#include "commits.hpp"
#include "expect.hpp"

namespace toa::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int objects = 1'000;
constexpr sqlite3_int64 far_future = 4'000'000'000'000;

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// The tables and pragmas that SqliteStorage has, so that nothing but its own work tells the two
/// apart.
constexpr auto schema = R"sql(
PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
PRAGMA wal_autocheckpoint = 8000; PRAGMA secure_delete = OFF; PRAGMA cache_size = -32768;
CREATE TABLE inbox (endpoint INTEGER NOT NULL, identity BLOB NOT NULL, expires INTEGER NOT NULL,
  reply TEXT, PRIMARY KEY (endpoint, identity)) WITHOUT ROWID;
CREATE INDEX inbox_expires ON inbox (expires);
CREATE TABLE objects (id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, created INTEGER NOT NULL,
  updated INTEGER NOT NULL, deleted INTEGER, region INTEGER NOT NULL, properties TEXT NOT NULL);
)sql";

class Database {
 public:
  explicit Database(const std::string& file) {
    sqlite3* opened = nullptr;
    const int code =
        sqlite3_open_v2(file.c_str(), &opened,
                        SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    db_.reset(opened);
    expect(code == SQLITE_OK, "SQLite cannot open its file");
    run(schema);
    begin_ = prepare("BEGIN IMMEDIATE");
    commit_ = prepare("COMMIT");
    savepoint_ = prepare("SAVEPOINT unit");
    release_ = prepare("RELEASE unit");
    remember_ = prepare("INSERT INTO inbox VALUES (1, ?, ?, ?)");
    update_ = prepare(
        "UPDATE objects SET version = version + 1, updated = ?, properties = ? WHERE id = ?");
    add_objects();
  }

  void begin() { step(begin_); }
  void commit() { step(commit_); }

  void operation(Random& random) {
    static constexpr char state[] = R"({"total":123456})";
    static constexpr char reply[] =
        R"({"id":"00000000000000000000000000000001","total":123456,"VERSION":1,"CREATED":1700000000000,"UPDATED":1700000000000,"DELETED":null,"REGION":0})";
    const std::array<std::uint64_t, 2> identity{random.next(), random.next()};
    const auto id = name(static_cast<int>(random.below(objects)));
    step(savepoint_);
    sqlite3_bind_blob(remember_.get(), 1, identity.data(), sizeof identity, SQLITE_STATIC);
    sqlite3_bind_int64(remember_.get(), 2, far_future);
    sqlite3_bind_text(remember_.get(), 3, reply, sizeof reply - 1, SQLITE_STATIC);
    step(remember_);
    sqlite3_bind_int64(update_.get(), 1, far_future);
    sqlite3_bind_text(update_.get(), 2, state, sizeof state - 1, SQLITE_STATIC);
    sqlite3_bind_text(update_.get(), 3, id.data(), static_cast<int>(id.size()), SQLITE_STATIC);
    step(update_);
    step(release_);
  }

 private:
  using Statement = std::unique_ptr<sqlite3_stmt, Close>;

  static std::string name(int object) {
    auto digits = std::to_string(object);
    return std::string(32 - digits.size(), '0') + digits;
  }

  void run(const char* sql) {
    expect(sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK, sql);
  }

  Statement prepare(const char* sql) {
    sqlite3_stmt* made = nullptr;
    expect(sqlite3_prepare_v3(db_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr) ==
               SQLITE_OK,
           sql);
    return Statement(made);
  }

  void step(const Statement& statement) {
    expect(sqlite3_step(statement.get()) == SQLITE_DONE, "SQLite refused a statement");
    sqlite3_reset(statement.get());
  }

  void add_objects() {
    run("BEGIN");
    for (int i = 0; i < objects; ++i) {
      const auto sql = "INSERT INTO objects VALUES ('" + name(i) + "', 1, 0, 0, NULL, 0, '{}')";
      run(sql.c_str());
    }
    run("COMMIT");
  }

  std::unique_ptr<sqlite3, Close> db_;
  Statement begin_, commit_, savepoint_, release_, remember_, update_;
};

}  // namespace

Committed commit_bare(const std::string& folder, std::size_t group,
                      std::chrono::milliseconds duration) {
  Database database(folder + "/bare-" + std::to_string(group) + ".db");
  SystemRandom random;
  Committed committed;
  const auto start = Clock::now();
  while (Clock::now() - start < duration) {
    const auto before = Clock::now();
    database.begin();
    for (std::size_t i = 0; i < group; ++i) database.operation(random);
    database.commit();
    committed.waits.add(Clock::now() - before);
    committed.operations += group;
  }
  committed.seconds = seconds(Clock::now() - start);
  return committed;
}

}  // namespace toa::bench
