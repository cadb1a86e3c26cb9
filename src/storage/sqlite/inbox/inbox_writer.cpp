#include "storage/sqlite/inbox/inbox_writer.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <ranges>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "storage/sqlite/inbox/inbox_sql.hpp"
#include "storage/sqlite/schema.hpp"

namespace toa::storage::sqlite {
namespace {

constexpr auto never = std::numeric_limits<EpochMs>::max();
/// Of a window: records of a slice expire within one of them of each other.
constexpr EpochMs parts_of_window = 12;

/// The slices that a record may go to.
struct Kind {
  EpochMs window, expires;
  friend bool operator==(const Kind&, const Kind&) = default;
};

EpochMs expires_of(const Remembered& call, EpochMs from) {
  return from + call.window.count();
}

Kind kind_of(const Remembered& call, EpochMs from) {
  const auto window =
      static_cast<EpochMs>(std::bit_ceil(static_cast<std::uint64_t>(call.window.count())));
  const auto part = std::max<EpochMs>(window / parts_of_window, 1);
  return {window, (expires_of(call, from) / part + 1) * part};
}

}  // namespace

struct InboxWriter::Statements {
  Statement add, reply, add_to_index, find, carry;
};

InboxWriter::InboxWriter(Connection& connection, EpochMs window, InboxOptions options)
    : connection_(connection), window_(window), options_(options) {
  const auto make = [this](const std::string& sql) { return connection_.prepare(sql); };
  endpoint_id_ = make("SELECT id FROM endpoints WHERE name = ?");
  add_endpoint_ = make("INSERT INTO endpoints (name) VALUES (?)");
  add_slice_ = make("INSERT INTO inbox_slices (window, expires, state) VALUES (?, ?, 0)");
  close_slice_ = make("UPDATE inbox_slices SET state = 1 WHERE id = ?");
  complete_slice_ = make("UPDATE inbox_slices SET state = 2, filter = ? WHERE id = ?");
  forget_slice_ = make("DELETE FROM inbox_slices WHERE id = ?");
  carried_reply_ = make(select_carried_reply());
  // Moved on rather than skipped: what is pinned would otherwise be looked at with every batch.
  postpone_ = make(
      "UPDATE inbox SET expires = ?1 + ?3 WHERE rowid IN"
      " (SELECT rowid FROM inbox WHERE expires <= ?1 ORDER BY expires, rowid LIMIT ?2) AND " +
      is_pinned("identity", "?1"));
  prune_ = make(
      "DELETE FROM inbox WHERE rowid IN"
      " (SELECT rowid FROM inbox WHERE expires <= ?1 ORDER BY expires, rowid LIMIT ?2) AND NOT " +
      is_pinned("identity", "?1"));
  soonest_statement_ = make("SELECT min(expires) FROM inbox");
}

InboxWriter::~InboxWriter() = default;

void InboxWriter::open() {
  const auto keep_seed =
      connection_.prepare("INSERT OR IGNORE INTO meta (key, value) VALUES ('calls', ?)");
  Run(keep_seed).integer(std::bit_cast<std::int64_t>(options_.seed)).changed();
  const auto seed = std::stoll(connection_.ask("SELECT value FROM meta WHERE key = 'calls'"));
  directory_ = std::make_shared<Directory>(std::bit_cast<std::uint64_t>(std::int64_t{seed}));
  read_slices();
  for (const auto& slice : directory_->slices())
    if (slice->set) read_calls(*slice);
  read_carried();
}

void InboxWriter::read_slices() {
  const auto all = connection_.prepare(
      "SELECT id, window, expires, state, filter FROM inbox_slices ORDER BY id");
  Run run(all);
  while (run.row()) {
    Slice slice{.id = SliceId(run.integer_at(0)),
                .window = run.integer_at(1),
                .expires = run.integer_at(2),
                .state = static_cast<Slice::State>(run.integer_at(3))};
    if (slice.state == Slice::State::indexed) {
      auto bytes = run.text_at(4);
      if (Filter::is_one(bytes))
        slice.filter = std::make_unique<Filter>(Filter::of(std::move(bytes)));
    } else {
      slice.set = std::make_unique<CallSet>();
    }
    const auto rows = connection_.ask(
        fmt::format("SELECT coalesce(max(number), 0) FROM {}", slice_table(slice.id)));
    slice.rows = static_cast<std::uint32_t>(std::stoul(rows));
    directory_->add(std::move(slice));
  }
}

void InboxWriter::read_calls(Slice& slice) {
  const auto calls = connection_.prepare(
      fmt::format("SELECT calls.number, endpoints.name, calls.identity FROM {} AS calls"
                  " JOIN endpoints ON endpoints.id = calls.endpoint",
                  slice_table(slice.id)));
  Run run(calls);
  while (run.row()) {
    const auto hash = directory_->hash(run.text_at(1), run.identity_at(2));
    directory_->read_call(slice, {hash, static_cast<std::uint32_t>(run.integer_at(0))});
  }
}

void InboxWriter::read_carried() {
  const auto carried = connection_.prepare(
      "SELECT endpoints.name, inbox.identity FROM inbox"
      " JOIN endpoints ON endpoints.id = inbox.endpoint LIMIT ?");
  Run run(carried);
  run.integer(static_cast<std::int64_t>(limits::inbox_carried_known_max) + 1);
  while (run.row()) directory_->carry(directory_->hash(run.text_at(0), run.identity_at(1)));
}

std::optional<FirstReply> InboxWriter::known(const Remembered& call, EpochMs now) {
  if (!options_.rules.asked_in_the_commit) return std::nullopt;
  const auto found = directory_->find(directory_->hash(call.endpoint, call.identity));
  for (const auto& candidate : found.slices)
    if (auto reply = reply_at(candidate, found.hash, call, now)) return reply;
  if (!found.carried) return std::nullopt;
  Run run(carried_reply_);
  const bool there =
      run.integer(endpoint(call.endpoint)).blob(call.identity.view()).integer(now).row();
  return there ? std::optional(FirstReply{run.optional_text_at(0)}) : std::nullopt;
}

std::optional<FirstReply> InboxWriter::reply_at(const Candidates::InSlice& candidate,
                                                std::uint64_t hash, const Remembered& call,
                                                EpochMs now) {
  for (const auto number : numbers_at(candidate, hash)) {
    Run run(statements(candidate.slice).reply);
    run.integer(number).integer(endpoint(call.endpoint)).blob(call.identity.view()).integer(now);
    if (run.row()) return FirstReply{run.optional_text_at(0)};
  }
  return std::nullopt;
}

std::vector<std::uint32_t> InboxWriter::numbers_at(const Candidates::InSlice& candidate,
                                                   std::uint64_t hash) {
  if (candidate.number != 0) return {candidate.number};
  return numbers_under(hash, statements(candidate.slice).find);
}

Slice* InboxWriter::open_slice(const Remembered& call, EpochMs from) {
  const auto kind = kind_of(call, from);
  for (const auto& slice : std::views::reverse(directory_->slices())) {
    const bool open = slice->state == Slice::State::open;
    if (open && Kind{slice->window, slice->expires} == kind) return slice.get();
  }
  return nullptr;
}

void InboxWriter::make_room(const Remembered& call, EpochMs from) {
  // Its id stays where the unit is undone by itself: it is remembered here.
  endpoint(call.endpoint);
  auto* slice = open_slice(call, from);
  if (slice != nullptr && slice->rows < options_.slice_rows_max) return;
  if (slice != nullptr) close(*slice);
  const auto [window, expires] = kind_of(call, from);
  Run(add_slice_).integer(window).integer(expires).changed();
  const SliceId id(sqlite3_last_insert_rowid(connection_.get()));
  connection_.run(
      fmt::format("CREATE TABLE {} (number INTEGER PRIMARY KEY, endpoint INTEGER NOT NULL,"
                  " identity BLOB NOT NULL, expires INTEGER NOT NULL, reply TEXT);"
                  "CREATE TABLE {} (hash INTEGER NOT NULL, number INTEGER NOT NULL,"
                  " PRIMARY KEY (hash, number)) WITHOUT ROWID",
                  slice_table(id), slice_index(id)));
  directory_->add(
      {.id = id, .window = window, .expires = expires, .set = std::make_unique<CallSet>()});
  made_.push_back(id);
}

void InboxWriter::add(const Remembered& call, EpochMs from) {
  auto* slice = open_slice(call, from);
  require(slice != nullptr, "a call is remembered without room for it");
  const CallSet::Entry entry{directory_->hash(call.endpoint, call.identity), slice->rows + 1};
  // Before the record can be durable: nobody may miss one that is.
  directory_->add_call(*slice, entry);
  added_.push_back({slice, entry});
  Run(statements(slice->id).add)
      .integer(entry.number)
      .integer(endpoint(call.endpoint))
      .blob(call.identity.view())
      .integer(expires_of(call, from))
      .text_or_null(call.reply)
      .changed();
}

void InboxWriter::close(Slice& slice) {
  Run(close_slice_).integer(slice.id.value).changed();
  changed_.push_back({&slice, slice.state});
  directory_->change(slice, Slice::State::closed);
  if (!options_.rules.set_until_indexed) {
    directory_->replace_set(slice, std::make_unique<Filter>(1), options_.filter_bytes_max);
    directory_->change(slice, Slice::State::indexed);
  }
}

void InboxWriter::tend(std::size_t units, EpochMs from, EpochMs deletes_to) {
  for (const auto& slice : directory_->slices()) {
    // Windows of its records are more than half of its own: none can be of this slice any more.
    const bool passed = from + slice->window / 2 >= slice->expires;
    if (slice->state == Slice::State::open && passed) close(*slice);
  }
  // Twice what the batch can bring, so that upkeep keeps up, and a lone unit waits for little.
  const auto rows = std::min(2 * units + 16, options_.index_rows_max);
  index(rows);
  prune(rows, deletes_to);
}

void InboxWriter::index(std::size_t rows) {
  if (!indexing_) {
    const auto& slices = directory_->slices();
    const auto next =
        std::ranges::find(slices, Slice::State::closed, [](const auto& s) { return s->state; });
    if (next == slices.end()) return;
    indexing_.emplace(
        Indexing{.slice = (*next)->id, .filter = std::make_unique<Filter>((*next)->set->size())});
  }
  if (indexing_->complete) return;
  const auto page = directory_->slice(indexing_->slice)->set->page(indexing_->place, rows);
  for (const auto& [hash, number] : page) {
    Run(statements(indexing_->slice).add_to_index)
        .integer(std::bit_cast<std::int64_t>(hash))
        .integer(number)
        .changed();
    indexing_->filter->add(hash);
  }
  if (page.size() == rows) return;
  Run(complete_slice_).blob(indexing_->filter->bytes()).integer(indexing_->slice.value).changed();
  indexing_->complete = true;
}

void InboxWriter::prune(std::size_t rows, EpochMs now) {
  if (now < soonest_) return;
  const auto most = static_cast<std::int64_t>(rows);
  const auto pinned = Run(postpone_).integer(now).integer(most).integer(window_).changed();
  const auto pruned = Run(prune_).integer(now).integer(most - pinned).changed();
  if (pinned + pruned == most) return;
  Run next(soonest_statement_);
  next.row();
  soonest_ = next.optional_integer_at(0).value_or(never);
}

void InboxWriter::carry(SliceId slice, const std::vector<std::uint32_t>& numbers, EpochMs now) {
  const auto expires = now + window_;
  for (const auto number : numbers)
    Run(statements(slice).carry).integer(number).integer(expires).changed();
  const auto calls = connection_.prepare(
      fmt::format("SELECT endpoints.name, calls.identity FROM {} AS calls"
                  " JOIN endpoints ON endpoints.id = calls.endpoint WHERE calls.number = ?",
                  slice_table(slice)));
  // Known before the slice is gone: its calls are in one or the other at any time.
  for (const auto number : numbers) {
    Run run(calls);
    if (run.integer(number).row())
      directory_->carry(directory_->hash(run.text_at(0), run.identity_at(1)));
  }
  soonest_ = std::min(soonest_, expires);
}

void InboxWriter::drop(SliceId slice) {
  statements_.erase(slice);
  connection_.run(
      fmt::format("DROP TABLE {}; DROP TABLE {}", slice_index(slice), slice_table(slice)));
  Run(forget_slice_).integer(slice.value).changed();
  dropped_ = slice;
}

void InboxWriter::committed() {
  if (indexing_ && indexing_->complete) {
    if (auto* slice = directory_->slice(indexing_->slice))
      directory_->replace_set(*slice, std::move(indexing_->filter), options_.filter_bytes_max);
    indexing_.reset();
  } else if (indexing_) {
    indexing_->place_kept = indexing_->place;
  }
  if (dropped_) {
    directory_->remove(*dropped_);
    if (indexing_ && indexing_->slice == *dropped_) indexing_.reset();
  }
  added_.clear();
  changed_.clear();
  made_.clear();
  dropped_.reset();
}

void InboxWriter::undone() {
  for (const auto& [slice, entry] : std::views::reverse(added_))
    directory_->remove_call(*slice, entry);
  for (const auto& [slice, before] : std::views::reverse(changed_))
    directory_->change(*slice, before);
  for (const auto slice : made_) {
    statements_.erase(slice);
    directory_->remove(slice);
  }
  if (indexing_) {
    // What the filter has too much does no harm.
    indexing_->place = indexing_->place_kept;
    indexing_->complete = false;
    const auto* slice = directory_->slice(indexing_->slice);
    if (slice == nullptr || slice->state != Slice::State::closed) indexing_.reset();
  }
  added_.clear();
  changed_.clear();
  made_.clear();
  dropped_.reset();
  endpoints_.clear();
  soonest_ = 0;
}

InboxWriter::Statements& InboxWriter::statements(SliceId slice) {
  auto& made = statements_[slice];
  if (made) return *made;
  const auto table = slice_table(slice);
  made = std::make_unique<Statements>(Statements{
      .add = connection_.prepare(fmt::format(
          "INSERT INTO {} (number, endpoint, identity, expires, reply) VALUES (?, ?, ?, ?, ?)",
          table)),
      .reply = connection_.prepare(select_reply(slice)),
      .add_to_index = connection_.prepare(
          fmt::format("INSERT OR IGNORE INTO {} (hash, number) VALUES (?, ?)", slice_index(slice))),
      .find = connection_.prepare(select_numbers(slice)),
      .carry = connection_.prepare(fmt::format(
          "INSERT INTO inbox (endpoint, identity, expires, reply)"
          " SELECT endpoint, identity, ?2, reply FROM {} WHERE number = ?1"
          " ON CONFLICT DO UPDATE SET expires = excluded.expires, reply = excluded.reply",
          table))});
  return *made;
}

std::int64_t InboxWriter::endpoint(const std::string& name) {
  if (const auto known = endpoints_.find(name); known != endpoints_.end()) return known->second;
  const auto found = [&]() -> std::optional<std::int64_t> {
    Run run(endpoint_id_);
    if (!run.text(name).row()) return std::nullopt;
    return run.integer_at(0);
  };
  auto id = found();
  if (!id) {
    Run(add_endpoint_).text(name).changed();
    id = sqlite3_last_insert_rowid(connection_.get());
  }
  endpoints_.emplace(name, *id);
  return *id;
}

}  // namespace toa::storage::sqlite
