#include "storage/sqlite/writer.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "storage/sqlite/index_sql.hpp"
#include "storage/sqlite/schema.hpp"
#include "storage/sqlite/trouble.hpp"

namespace toa::storage::sqlite {

namespace {

int count_log_pages(void* counter, sqlite3*, const char*, int pages) {
  *static_cast<int*>(counter) = pages;
  return SQLITE_OK;
}

Error failed_on_purpose(const Connection& connection) {
  return {ErrorKind::unavailable,
          connection.file() + ": TOA_FAULT made this commit fail; nothing was stored."};
}

/// Whether a unit fell with the one that made its base, which came before it.
std::optional<Lost> lost_on(const Writer::Ground& ground, const std::vector<Commit>& outcomes) {
  if (ground.lost || !ground.base) return ground.lost;
  if (std::holds_alternative<Stored>(outcomes[*ground.base])) return std::nullopt;
  return Lost{.taken_back = true};
}

}  // namespace

Writer::Writer(Connection connection, Faults& faults, Keeping keeping, InboxOptions inbox)
    : connection_(std::move(connection)),
      faults_(faults),
      keeping_(keeping),
      queue_(connection_, keeping),
      inbox_(connection_, keeping.window, inbox),
      statistics_(connection_) {
  const auto make = [this](const std::string& sql) { return connection_.prepare(sql); };
  begin_ = make("BEGIN IMMEDIATE");
  commit_ = make("COMMIT");
  rollback_ = make("ROLLBACK");
  savepoint_ = make("SAVEPOINT unit");
  undo_unit_ = make("ROLLBACK TO unit");
  release_ = make("RELEASE unit");
  keep_time_ = make("INSERT OR REPLACE INTO meta (key, value) VALUES ('time', ?)");
  keep_ahead_ = make("INSERT OR REPLACE INTO meta (key, value) VALUES ('ahead', ?)");
  const auto ahead_kept = make("SELECT value FROM meta WHERE key = 'ahead'");
  if (Run run(ahead_kept); run.row()) ahead_kept_ = std::chrono::milliseconds(run.integer_at(0));
  const auto time_kept = make("SELECT value FROM meta WHERE key = 'time'");
  if (Run run(time_kept); run.row()) time_kept_ = run.integer_at(0);
  sqlite3_wal_hook(connection_.get(), count_log_pages, &log_pages_);
}

Result<std::unique_ptr<Writer>> Writer::open(std::string file, const std::string& vfs,
                                             Faults& faults, Keeping keeping, InboxOptions inbox) {
  auto connection = Connection::open(file, vfs, Access::read_write);
  if (!connection) return std::unexpected(connection.error());
  if (auto ready = set_up_writer(*connection); !ready) return std::unexpected(ready.error());
  try {
    std::unique_ptr<Writer> writer(new Writer(std::move(*connection), faults, keeping, inbox));
    writer->inbox_.open();
    return writer;
  } catch (const Failed& failed) {
    return std::unexpected(trouble(file, failed.code, 0));
  }
}

Result<void> Writer::prepare(std::span<const Collection> collections, EpochMs now, Time time) {
  try {
    Run(begin_).row();
    keep_time(time);
    for (const auto& collection : collections)
      connection_.run(create_object_table(collection.component));
    Run(commit_).row();
    if (auto applied = migrate(collections, now); !applied) return applied;
    expiring_.clear();
    for (const auto& collection : collections) make_statements(collection.component);
    statistics_.begin();
    return {};
  } catch (const Failed& failed) {
    return std::unexpected(undo(connection_.describe(failed)));
  }
}

Result<std::unordered_set<std::string>> Writer::components_kept_apart() {
  try {
    std::unordered_set<std::string> components;
    const auto unique =
        connection_.prepare("SELECT component FROM indexes WHERE shape GLOB 'unique *'");
    Run run(unique);
    while (run.row()) components.insert(run.text_at(0));
    return components;
  } catch (const Failed& failed) {
    return std::unexpected(connection_.describe(failed));
  }
}

Result<void> Writer::migrate(std::span<const Collection> collections, EpochMs now) {
  Migrator migrator(connection_, faults_);
  for (const auto& collection : collections)
    if (auto applied = migrator.apply(collection, now); !applied) return applied;
  return {};
}

void Writer::make_statements(const ComponentId& component) {
  const auto table = object_table(component);
  objects_[component.value] = {
      // Not `OR IGNORE`: a clash in another index is no lost race.
      connection_.prepare(
          fmt::format("INSERT INTO {} (id, version, created, updated, deleted, region, properties)"
                      " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                      table)),
      connection_.prepare(fmt::format(
          // Its creation too: an object that expired, and was made again, has its old versions
          // again.
          "UPDATE {} SET version = ?1, created = ?2, updated = ?3, deleted = ?4, region = ?5, "
          "properties = ?6 WHERE id = ?7 AND version = ?8 AND created = ?2",
          table))};
  for (const auto& rule : expiry_rules(connection_, component))
    expiring_.push_back(
        {component, rule.seconds * 1'000,
         connection_.prepare(fmt::format("DELETE FROM {0} WHERE rowid IN"
                                         " (SELECT rowid FROM {0} WHERE {1} LIMIT ?2) RETURNING id",
                                         rule.table, rule.condition))});
}

std::variant<Writer::Removed, Error, UnknownOutcome> Writer::expire(EpochMs now) {
  Removed removed;
  auto outcome = alone([&] {
    for (const auto& [component, milliseconds, remove] : expiring_) {
      const auto room = limits::expiry_rows_max - std::ssize(removed.objects);
      const auto moment = now - milliseconds;
      Run run(remove);
      run.integer(moment).integer(room);
      while (run.row()) removed.objects.emplace_back(component, EntityId(run.text_at(0)));
    }
  });
  if (auto* error = std::get_if<Error>(&outcome)) return std::move(*error);
  if (auto* unknown = std::get_if<UnknownOutcome>(&outcome)) return std::move(*unknown);
  removed.done = std::ssize(removed.objects) < limits::expiry_rows_max;
  return removed;
}

Batch Writer::apply(std::span<const Unit> units, std::span<const Ground> grounds, Time time) {
  if (faults_.reach("commit.before") == Faults::Verdict::fail)
    return failed_on_purpose(connection_);
  std::vector<Commit> outcomes;
  outcomes.reserve(units.size());
  try {
    Run(begin_).row();
    for (std::size_t i = 0; i < units.size(); ++i) {
      const auto lost = grounds.empty() ? std::nullopt : lost_on(grounds[i], outcomes);
      outcomes.push_back(apply_unit(units[i], lost, time));
    }
    inbox_.tend(units.size(), time.remembers_from, time.deletes_to);
    queue_.prune(time.deletes_to, units.size());
    keep_time(time);
  } catch (const Failed& failed) {
    return undo(connection_.describe(failed));
  }
  if (faults_.reach("commit.written") == Faults::Verdict::fail)
    return undo(failed_on_purpose(connection_));
  return settle(std::move(outcomes));
}

Batch Writer::settle(std::vector<Commit> outcomes) {
  try {
    Run(commit_).row();
  } catch (const Failed& failed) {
    auto error = connection_.describe(failed);
    const int code = failed.code & 0xff;
    // The log's last page was not written, so no reader and no recovery can take the transaction
    // for committed.
    if (code == SQLITE_FULL || code == SQLITE_BUSY) return undo(std::move(error));
    return UnknownOutcome{std::move(error.message)};
  }
  if (faults_.reach("commit.after") == Faults::Verdict::fail)
    return UnknownOutcome{connection_.file() + ": TOA_FAULT lost the outcome of this commit."};
  inbox_.committed();
  return outcomes;
}

Error Writer::undo(Error error) {
  if (connection_.in_transaction()) sqlite3_step(rollback_.get());
  sqlite3_reset(rollback_.get());
  // Ids that the transaction gave are gone with it; so is what it pruned and kept.
  inbox_.undone();
  queue_.undone();
  time_kept_ -= limits::storage_time_step.count();
  ahead_kept_ -= limits::storage_time_step;
  return error;
}

Commit Writer::apply_unit(const Unit& unit, const std::optional<Lost>& lost, const Time& time) {
  if (unit.remembered) inbox_.make_room(*unit.remembered, time.remembers_from);
  if (unit.writes.size() + unit.published.size() <= 1) return attempt(unit, lost, time);
  Run(savepoint_).row();
  auto outcome = attempt(unit, lost, time);
  if (!std::holds_alternative<Stored>(outcome)) Run(undo_unit_).row();
  Run(release_).row();
  return outcome;
}

Commit Writer::attempt(const Unit& unit, const std::optional<Lost>& lost, const Time& time) {
  // Asked first: a repeat is answered, also where it would lose the race (R87).
  if (unit.remembered)
    if (auto known = inbox_.known(*unit.remembered, time.now)) return std::move(*known);
  if (lost) return *lost;
  for (std::size_t i = 0; i < unit.writes.size(); ++i) {
    if (auto rejected = write(unit.writes[i], i)) return std::move(*rejected);
  }
  for (const auto& record : unit.published)
    if (!queue_.publish(record, time.now)) return Lost{};
  // Last, since nothing of it can be rejected.
  queue_.apply(unit, time.now);
  if (unit.remembered) inbox_.add(*unit.remembered, time.remembers_from);
  return Stored{};
}

std::optional<Commit> Writer::write(const Write& write, std::size_t place) {
  try {
    if (is_written(write)) return std::nullopt;
    return Lost{place};
  } catch (const Failed& failed) {
    // The statement undid itself; what the unit did before it stays.
    if (failed.code == SQLITE_CONSTRAINT_UNIQUE) return clash(place);
    throw;
  }
}

Clash Writer::clash(std::size_t place) {
  const auto number = clashing_index(sqlite3_errmsg(connection_.get()));
  require(number.has_value(), "a clash outside of the indexes that migrations made");
  return {place,
          connection_.ask(fmt::format("SELECT name FROM indexes WHERE number = {}", *number))};
}

bool Writer::is_written(const Write& write) {
  const auto& next = write.next;
  require(next.version.value == write.base.value + 1, "a write skips a version");
  const auto found = objects_.find(write.component.value);
  require(found != objects_.end(), "a write to a component that was not prepared");
  const auto deleted = std::optional<std::int64_t>(next.deleted);
  if (write.base.value == 0) {
    const auto made = Run(found->second.create)
                          .text(next.id.value)
                          .integer(next.version.value)
                          .integer(next.created)
                          .integer(next.updated)
                          .integer_or_null(deleted)
                          .integer(next.region)
                          .text(next.properties)
                          .changed();
    statistics_.made(made);
    return made > 0;
  }
  return Run(found->second.update)
             .integer(next.version.value)
             .integer(next.created)
             .integer(next.updated)
             .integer_or_null(deleted)
             .integer(next.region)
             .text(next.properties)
             .text(next.id.value)
             .integer(write.base.value)
             .changed() > 0;
}

std::variant<Writer::Done, Error, UnknownOutcome> Writer::alone(const std::function<void()>& work) {
  try {
    Run(begin_).row();
    work();
  } catch (const Failed& failed) {
    return undo(connection_.describe(failed));
  }
  auto settled = settle({});
  if (auto* error = std::get_if<Error>(&settled)) return std::move(*error);
  if (auto* unknown = std::get_if<UnknownOutcome>(&settled)) return std::move(*unknown);
  return Done{};
}

std::variant<Writer::Done, Error, UnknownOutcome> Writer::carry(
    SliceId slice, const std::vector<std::uint32_t>& numbers, EpochMs now) {
  return alone([&] { inbox_.carry(slice, numbers, now); });
}

std::variant<Writer::Done, Error, UnknownOutcome> Writer::drop(SliceId slice) {
  return alone([&] { inbox_.drop(slice); });
}

void Writer::keep_time(const Time& time) {
  if (std::chrono::abs(time.ahead - ahead_kept_) >= limits::storage_time_step) {
    Run(keep_ahead_).integer(time.ahead.count()).changed();
    ahead_kept_ = time.ahead;
  }
  if (time.now - time_kept_ < limits::storage_time_step.count()) return;
  Run(keep_time_).integer(time.now).changed();
  time_kept_ = time.now;
}

void Writer::checkpoint_if_due() {
  statistics_.renew_if_due();
  if (log_pages_ < limits::storage_log_pages_max) return;
  log_pages_ = 0;
  // A failure leaves the log as it is: the next batch tries again, and meets the same trouble where
  // it matters.
  sqlite3_wal_checkpoint_v2(connection_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr,
                            nullptr);
}

}  // namespace toa::storage::sqlite
