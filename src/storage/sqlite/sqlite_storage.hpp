#pragma once

#include <functional>
#include <memory>
#include <string>

#include "async/loop.hpp"
#include "base/clock.hpp"
#include "base/fault.hpp"
#include "base/limits.hpp"
#include "storage/expiry_clock.hpp"
#include "storage/queue.hpp"
#include "storage/remembered_calls.hpp"
#include "storage/sqlite/commit_queue.hpp"
#include "storage/sqlite/inbox/slice_dropper.hpp"
#include "storage/sqlite/object_cache.hpp"
#include "storage/sqlite/read_queue.hpp"
#include "storage/sqlite/reader.hpp"
#include "storage/sqlite/unmanaged.hpp"
#include "storage/sqlite/writer.hpp"
#include "storage/storage.hpp"

namespace toa::storage::sqlite {

/// Prints `message` and ends the process with status 74 (EX_IOERR), running nothing more: what was
/// not answered is found out by those who repeat it.
[[noreturn]] void end_process(const std::string& message);

/// Keeps everything in one SQLite file. The folder must be held (DataFolder).
class SqliteStorage final : public Storage, public Queue, public RememberedCalls {
 public:
  struct Options {
    std::string file;
    /// The name of a registered SQLite VFS; empty for the system's own.
    std::string vfs = {};
    /// Called on the writer's thread where nobody can tell whether a commit is on the disk. It does
    /// not return; a simulation may throw.
    std::function<void(const std::string&)> on_unknown_outcome = end_process;
    /// Told, on the loop, of a wall clock that jumped ahead and is not followed.
    std::function<void(std::chrono::milliseconds ahead)> on_clock_jump = {};
    /// Whether changes may start from states that are accepted and not durable yet (D5).
    bool accepts_early = true;
    /// Whether objects are removed that an index with a `ttl` calls expired (R189).
    bool removes_expired = true;
    InboxOptions inbox = {};
    /// Told, on the loop, when so many calls are remembered: first at
    /// `limits::inbox_calls_told`, then with each doubling.
    std::function<void(std::size_t calls)> on_many_calls = {};
    Keeping keeping = {.history = 0, .window = limits::inbox_window_default_s * 1'000};
  };

  /// All outlive the storage. Writer and reader may be one, or the loop's own; each runs what it is
  /// given in order. Queries, which may take long, run on `scans`, or on the reader where there is
  /// none.
  struct Surroundings {
    Loop& loop;
    Executor& writer;
    Executor& reader;
    const Clock& clock;
    Faults& faults;
    Executor* scans = nullptr;
  };

  /// Opens or makes the file; blocks the calling thread. Failures name the file and say what to do.
  static Result<std::unique_ptr<SqliteStorage>> open(Options options, Surroundings surroundings);

  /// The time by which this storage's calls expire and its messages fall due; as long as it lives.
  const Clock& clock() const { return time_; }

  const Capabilities& capabilities() const override { return capabilities_; }
  Task<Result<void>> prepare(std::vector<Collection> collections) override;
  Task<Result<std::optional<FirstReply>>> recall(std::string endpoint, Identity identity) override;
  Task<Result<std::optional<Object>>> load(ComponentId component, EntityId id) override;
  Task<Result<Head>> head(ComponentId component, EntityId id) override;
  Task<Result<std::vector<Object>>> find(ComponentId component, Selection selection) override;
  Task<Result<std::string>> query(ComponentId component, std::string text,
                                  JsonArray values) override;
  Task<Result<Commit>> commit(Unit unit) override;
  Task<void> close() override;

  Task<Result<std::vector<RememberedCall>>> remembered(Identity identity) override;

  Task<Result<std::vector<Record>>> records(std::optional<Identity> after,
                                            std::size_t limit) override;
  Task<Result<std::vector<Message>>> due(ComponentId component, Place after, EpochMs now,
                                         std::size_t limit) override;
  Task<Result<std::optional<EpochMs>>> next_due(ComponentId component, EpochMs now) override;
  Task<Result<MessageNumber>> last_number() override;
  Task<Result<std::size_t>> waiting() override;
  Task<Result<Backlog>> backlog() override;
  Task<Result<std::vector<ParkedMessage>>> parked(ParkedFilter filter, MessageNumber after,
                                                  std::size_t limit) override;

 private:
  /// An object that is being read, and the newest version stored meanwhile, which the read may have
  /// missed.
  struct Reading {
    std::size_t readers = 0;
    Version stored;
    bool removed = false;
  };

  struct Engines {
    std::unique_ptr<Writer> writer;
    std::unique_ptr<Reader> reader;
    std::unique_ptr<Reader> scanner;
  };

  SqliteStorage(Engines engines, Surroundings surroundings, Options options);
  void stored(std::vector<Write> writes);
  void lost(const Write& write);
  void expire_later();
  void expire();
  void expired(std::variant<Writer::Removed, Error, UnknownOutcome> outcome);
  Reading end_reading(const ObjectKeyView& key);
  void landed();

  Capabilities capabilities_{.name = "sqlite", .atomic_commit = true, .migrations = true};
  Loop& loop_;
  Executor& writer_executor_;
  Executor& reader_executor_;
  Executor& scan_executor_;
  ExpiryClock time_;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Reader> scanner_;
  Unmanaged unmanaged_;
  ObjectCache cache_;
  ByObject<Reading> reading_;
  Heads heads_;
  CommitQueue commits_;
  ReadQueue reads_;
  ReadQueue scans_;
  std::function<void(const std::string&)> on_unknown_outcome_;
  const Clock& clock_;
  /// Of the next removal of objects whose time has come.
  std::optional<Loop::TimerId> expiry_timer_;
  SliceDropper dropper_;
  std::function<void(std::size_t calls)> on_many_calls_;
  std::size_t tells_calls_at_ = limits::inbox_calls_told;
  bool removes_expired_ = true;
  bool expiring_ = false;
  Completion<bool>* expiry_ended_ = nullptr;
  bool closing_ = false;
};

}  // namespace toa::storage::sqlite
