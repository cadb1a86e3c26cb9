#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "base/fault.hpp"
#include "base/result.hpp"
#include "storage/collection.hpp"
#include "storage/expiry_clock.hpp"
#include "storage/sqlite/connection.hpp"
#include "storage/sqlite/inbox/inbox_writer.hpp"
#include "storage/sqlite/migrator.hpp"
#include "storage/sqlite/queue_writer.hpp"
#include "storage/sqlite/statistics.hpp"
#include "storage/unit.hpp"

namespace toa::storage::sqlite {

/// Whether the transaction is on the disk cannot be told: nobody may be answered, and the process
/// has to end.
struct UnknownOutcome {
  std::string message;
};

/// What became of a batch: of each unit, or a failure that left nothing of any.
using Batch = std::variant<std::vector<Commit>, Error, UnknownOutcome>;

/// Writes units, many in one transaction (D4). Synchronous; used by one thread at a time.
///
/// (1) A returned vector of outcomes is durable: the transaction was fsynced before.
/// (2) A rejected unit undoes itself alone; units of one batch see those before them.
/// (3) A failure before COMMIT leaves nothing; at COMMIT, all but a clean refusal is an unknown
/// outcome.
class Writer {
 public:
  /// Opens the file, which is made where it is absent, and brings it up to date.
  static Result<std::unique_ptr<Writer>> open(std::string file, const std::string& vfs,
                                              Faults& faults, Keeping keeping = {},
                                              InboxOptions inbox = {});
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// `now` is the time by which records expire, and `remembers_from` the one from which the windows
  /// of new ones count; what expired by `deletes_to` is deleted. `ahead` is kept for the next
  /// start.
  struct Time {
    EpochMs now = 0;
    EpochMs remembers_from = 0;
    EpochMs deletes_to = 0;
    std::chrono::milliseconds ahead{};

    static Time of(const ExpiryClock& clock) {
      return {.now = clock.now(),
              .remembers_from = clock.remembers_from(),
              .deletes_to = clock.deletes_to(),
              .ahead = clock.ahead()};
    }
  };
  /// Makes tables for these components' objects and applies their migrations, dated by the wall
  /// clock's `now`; keeps the time, so that a clock that is set back from here on is noticed.
  Result<void> prepare(std::span<const Collection> collections, EpochMs now, Time time);

  /// What a unit stands on, besides the versions of its objects.
  struct Ground {
    /// It lost already; the writer only looks whether its call is known, which comes first.
    std::optional<Lost> lost = {};
    /// The unit of the same batch that made its base.
    std::optional<std::size_t> base = {};
  };
  /// `grounds` has one for each unit, or is empty.
  Batch apply(std::span<const Unit> units, std::span<const Ground> grounds, Time time);
  Batch apply(std::span<const Unit> units, Time time) { return apply(units, {}, time); }

  /// Components of which a unique index keeps objects apart.
  Result<std::unordered_set<std::string>> components_kept_apart();

  struct Done {};

  /// Removes objects whose ttl is over, at most `limits::expiry_rows_max` of them. Done is when
  /// none are left.
  struct Removed {
    std::vector<std::pair<ComponentId, EntityId>> objects;
    bool done = true;
  };
  std::variant<Removed, Error, UnknownOutcome> expire(EpochMs now);
  /// What this process knows of remembered calls; for any thread.
  const std::shared_ptr<Directory>& directory() const { return inbox_.directory(); }
  /// Copies records out of a slice that is to be dropped, and drops it: transactions of their own.
  std::variant<Done, Error, UnknownOutcome> carry(SliceId slice,
                                                  const std::vector<std::uint32_t>& numbers,
                                                  EpochMs now);
  std::variant<Done, Error, UnknownOutcome> drop(SliceId slice);

  /// Whether any index has a ttl.
  bool expires() const { return !expiring_.empty(); }

  /// Copies the log back into the file when it has grown to its bound, and looks at the indexes
  /// when the objects have grown by much. Between batches: nobody waits for it.
  void checkpoint_if_due();

  /// The highest time that the file has kept, to within `limits::storage_time_step`.
  EpochMs time_kept() const { return time_kept_; }
  /// How far the wall clock was ahead of it, where it was not followed; negative where it was
  /// behind.
  std::chrono::milliseconds ahead_kept() const { return ahead_kept_; }

 private:
  /// Throws Failed.
  Writer(Connection connection, Faults& faults, Keeping keeping, InboxOptions inbox);

  struct ObjectStatements {
    Statement create, update;
  };

  struct Expiring {
    ComponentId component;
    std::int64_t milliseconds;
    Statement remove;
  };

  Result<void> migrate(std::span<const Collection> collections, EpochMs now);
  void make_statements(const ComponentId& component);
  Commit apply_unit(const Unit& unit, const std::optional<Lost>& lost, const Time& time);
  Commit attempt(const Unit& unit, const std::optional<Lost>& lost, const Time& time);
  /// Why it was not written, where it was not.
  std::optional<Commit> write(const Write& write, std::size_t place);
  bool is_written(const Write& write);
  Clash clash(std::size_t place);
  void keep_time(const Time& time);
  /// A transaction of its own.
  std::variant<Done, Error, UnknownOutcome> alone(const std::function<void()>& work);
  Batch settle(std::vector<Commit> outcomes);
  Error undo(Error error);

  Connection connection_;
  Faults& faults_;
  Keeping keeping_;
  QueueWriter queue_;
  InboxWriter inbox_;
  Statistics statistics_;
  Statement begin_, commit_, rollback_, savepoint_, undo_unit_, release_;
  Statement keep_time_, keep_ahead_;
  std::unordered_map<std::string, ObjectStatements> objects_;
  std::vector<Expiring> expiring_;
  EpochMs time_kept_ = 0;
  std::chrono::milliseconds ahead_kept_{};
  int log_pages_ = 0;
};

}  // namespace toa::storage::sqlite
