#include "storage/sqlite/queue_writer.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "base/limits.hpp"

namespace toa::storage::sqlite {
namespace {

std::string text_of(const Trail& trail) {
  return json::print(boost::json::value_from(trail));
}

}  // namespace

QueueWriter::QueueWriter(Connection& connection, Keeping keeping) : keeping_(keeping) {
  const auto make = [&connection](const char* sql) { return connection.prepare(sql); };
  add_record_ =
      make("INSERT INTO outbox (id, component, at, change, trail) VALUES (?, ?, ?, ?, ?)");
  drop_record_ = make("DELETE FROM outbox WHERE id = ? AND published_at IS NULL");
  keep_record_ = make("UPDATE outbox SET published_at = ? WHERE id = ? AND published_at IS NULL");
  add_message_ = make(
      "INSERT INTO messages (number, id, kind, component, name, body, trail, readonly, made,"
      " attempt, due) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  // A message that failed, or that waited for as long as a call may be remembered at least, may
  // have calls beneath it whose time is over; they stay for one window more (D6).
  pin_ = make(
      "INSERT INTO pins (prefix, until) VALUES (?1, ?2)"
      " ON CONFLICT DO UPDATE SET until = max(until, excluded.until)");
  is_parked_ = make("SELECT 1 FROM messages WHERE number = ? AND parked_at IS NOT NULL");
  drop_message_ = make(
      "DELETE FROM messages WHERE number = ?1"
      " RETURNING failed = 1 OR attempt > 1 OR made <= ?2, substr(id, 1, 6), substr(stated, 1, 6)");
  retry_ = make("UPDATE messages SET attempt = ?, due = ?, failed = 1 WHERE number = ?");
  park_ = make(
      "UPDATE messages SET parked_at = ?, attempt = ?, code = ?, reason = ?, cause = ?, stack = ?,"
      " failed = 1 WHERE number = ?");
  return_ = make(
      "UPDATE messages SET parked_at = NULL, attempt = 1, due = ?, code = NULL, reason = NULL,"
      " cause = NULL, stack = NULL WHERE number = ? AND parked_at IS NOT NULL");
  state_ = make("UPDATE messages SET stated = ? WHERE number = ?");
  // Never lower: units may come in another order than their numbers, and after a rollback what the
  // file has is not known here.
  keep_number_ = make(
      "INSERT INTO meta (key, value) VALUES ('number', ?)"
      " ON CONFLICT DO UPDATE SET value = max(value, excluded.value)");
  prune_history_ = make(
      "DELETE FROM outbox WHERE rowid IN (SELECT rowid FROM outbox WHERE published_at <= ? LIMIT "
      "?)");
  prune_pins_ =
      make("DELETE FROM pins WHERE prefix IN (SELECT prefix FROM pins WHERE until <= ? LIMIT ?)");
}

void QueueWriter::apply(const Unit& unit, EpochMs now) {
  for (const auto& record : unit.records) add(record);
  for (const auto& message : unit.messages) {
    add(message);
    keep_number(message.number);
  }
  for (const auto& fate : unit.fates) {
    std::visit([this, now](const auto& what) { settle(what, now); }, fate);
  }
}

void QueueWriter::add(const Record& record) {
  const auto trail = text_of(record.trail);
  Run(add_record_)
      .blob(record.id.view())
      .text(record.component.value)
      .integer(record.at)
      .text(record.change)
      .text(trail)
      .changed();
}

void QueueWriter::add(const Message& message) {
  const auto trail = text_of(message.trail);
  Run(add_message_)
      .integer(message.number.value)
      .blob(message.id.view())
      .integer(message.kind == MessageKind::task ? 1 : 0)
      .text(message.component.value)
      .text(message.name)
      .text(message.body)
      .text(trail)
      .integer(message.readonly == Readonly::yes ? 1 : 0)
      .integer(message.made)
      .integer(message.attempt)
      .integer(message.due)
      .changed();
}

void QueueWriter::keep_number(MessageNumber number) {
  if (number.value <= number_kept_) return;
  // Ahead by a stride, so that few messages cost this write; the rest of a stride is left out by
  // the next process.
  number_kept_ = number.value + limits::queue_number_stride;
  Run(keep_number_).integer(number_kept_).changed();
}

void QueueWriter::undone() {
  number_kept_ = 0;
}

bool QueueWriter::publish(const Identity& record, EpochMs now) {
  if (keeping_.history > 0) return Run(keep_record_).integer(now).blob(record.view()).changed() > 0;
  return Run(drop_record_).blob(record.view()).changed() > 0;
}

void QueueWriter::leave(MessageNumber number, EpochMs now) {
  const auto long_ago = now - limits::inbox_window_min_s * 1'000;
  std::vector<std::string> pinned;
  {
    Run drop(drop_message_);
    drop.integer(number.value).integer(long_ago);
    while (drop.row()) {
      if (drop.integer_at(0) == 0) continue;
      pinned.push_back(drop.text_at(1));
      if (auto stated = drop.optional_text_at(2)) pinned.push_back(std::move(*stated));
    }
  }
  for (const auto& prefix : pinned) Run(pin_).blob(prefix).integer(now + keeping_.window).changed();
}

void QueueWriter::settle(const Acknowledge& fate, EpochMs now) {
  leave(fate.number, now);
}

void QueueWriter::settle(const Discard& fate, EpochMs now) {
  // One that was put back meanwhile is in work, and not an operator's any more.
  Run parked(is_parked_);
  if (parked.integer(fate.number.value).row()) leave(fate.number, now);
}

void QueueWriter::settle(const Retry& fate, EpochMs) {
  Run(retry_).integer(fate.attempt).integer(fate.due).integer(fate.number.value).changed();
}

void QueueWriter::settle(const Park& fate, EpochMs) {
  Run(park_)
      .integer(fate.at)
      .integer(fate.attempt)
      .integer(static_cast<int>(fate.failure.code))
      .text(fate.failure.reason)
      .text_or_null(fate.failure.cause)
      .text(fate.failure.stack)
      .integer(fate.number.value)
      .changed();
}

void QueueWriter::settle(const Return& fate, EpochMs) {
  Run(return_).integer(fate.due).integer(fate.number.value).changed();
}

void QueueWriter::settle(const KeepChain& fate, EpochMs) {
  Run(state_).blob(fate.identity.view()).integer(fate.number.value).changed();
}

void QueueWriter::prune(EpochMs now, std::size_t units) {
  // Twice what the batch can bring, so that pruning keeps up, and a lone unit waits for little.
  const auto rows =
      static_cast<std::int64_t>(std::min(2 * units + 16, limits::inbox_prune_rows_max));
  Run(prune_pins_).integer(now).integer(rows).changed();
  if (keeping_.history > 0)
    Run(prune_history_).integer(now - keeping_.history).integer(rows).changed();
}

}  // namespace toa::storage::sqlite
