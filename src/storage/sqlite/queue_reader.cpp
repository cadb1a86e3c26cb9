#include "storage/sqlite/queue_reader.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/json.hpp"
#include "base/limits.hpp"

namespace toa::storage::sqlite {
namespace {

Trail trail_of(const std::string& text) {
  const auto parsed = json::parse(text);
  require(parsed.has_value() && parsed->is_array(), "a trail in the file is no list");
  Trail trail;
  for (const auto& hop : parsed->get_array()) trail.emplace_back(hop.as_string());
  return trail;
}

Identity identity_of(const std::string& bytes) {
  Identity::Bytes out{};
  require(bytes.size() == out.size(), "an identity in the file has another length");
  std::ranges::copy(bytes, out.begin());
  return Identity(out);
}

constexpr auto message_columns =
    "number, id, kind, component, name, body, trail, readonly, made, attempt, due, stated";

Message message_of(const Run& run) {
  const auto stated = run.optional_text_at(11);
  return {.number = MessageNumber(run.integer_at(0)),
          .id = identity_of(run.text_at(1)),
          .kind = run.integer_at(2) == 1 ? MessageKind::task : MessageKind::event,
          .component = ComponentId(run.text_at(3)),
          .name = run.text_at(4),
          .body = run.text_at(5),
          .trail = trail_of(run.text_at(6)),
          .readonly = run.integer_at(7) == 1 ? Readonly::yes : Readonly::no,
          .made = run.integer_at(8),
          .attempt = static_cast<int>(run.integer_at(9)),
          .due = run.integer_at(10),
          .stated = stated ? std::optional(identity_of(*stated)) : std::nullopt};
}

/// The filter's own words, where SQL would need one statement for each combination of them.
bool matches(const ParkedFilter& filter, const ParkedMessage& parked) {
  const auto& message = parked.message;
  const bool wanted =
      filter.ids.empty() || std::ranges::find(filter.ids, message.id) != filter.ids.end();
  return wanted && (filter.name.empty() || filter.name == message.name) &&
         (filter.component.empty() || filter.component == message.component.value) &&
         (filter.reason.empty() || parked.failure.reason.contains(filter.reason));
}

/// A reason, a cause or a stack may be longer than the message.
std::size_t bytes_of(const ParkedMessage& parked) {
  const auto& failure = parked.failure;
  return parked.message.body.size() + failure.reason.size() + failure.stack.size() +
         (failure.cause ? failure.cause->size() : 0);
}

}  // namespace

QueueReader::QueueReader(Connection& connection) {
  const auto make = [&connection](const std::string& sql) { return connection.prepare(sql); };
  records_ = make(
      "SELECT id, component, at, change, trail FROM outbox WHERE published_at IS NULL AND id > ?"
      " ORDER BY id LIMIT ?");
  const std::string messages = std::string("SELECT ") + message_columns;
  // Two statements, since one that compares both columns at once would step over all that fell due
  // together: a million, perhaps, that an operator put back.
  due_together_ = make(messages +
                       " FROM messages WHERE component = ? AND parked_at IS NULL AND due = ?"
                       " AND number > ? ORDER BY due, number LIMIT ?");
  due_later_ = make(messages +
                    " FROM messages WHERE component = ? AND parked_at IS NULL AND due > ?"
                    " AND due <= ? ORDER BY due, number LIMIT ?");
  next_due_ =
      make("SELECT min(due) FROM messages WHERE component = ? AND parked_at IS NULL AND due > ?");
  last_number_ = make(
      "SELECT max(coalesce((SELECT value FROM meta WHERE key = 'number'), 0),"
      " coalesce((SELECT max(number) FROM messages), 0))");
  waiting_ = make("SELECT count(*) FROM messages WHERE parked_at IS NULL");
  waiting_of_each_ =
      make("SELECT component, count(*) FROM messages WHERE parked_at IS NULL GROUP BY component");
  records_waiting_ = make("SELECT count(*) FROM outbox WHERE published_at IS NULL");
  parked_ = make(messages +
                 ", parked_at, code, reason, cause, stack FROM messages"
                 " WHERE parked_at IS NOT NULL AND number > ? ORDER BY number");
}

std::vector<Record> QueueReader::records(const std::optional<Identity>& after, std::size_t limit) {
  std::vector<Record> page;
  std::size_t bytes = 0;
  Run run(records_);
  run.blob(after ? after->view() : std::string_view()).integer(static_cast<std::int64_t>(limit));
  while (bytes < limits::queue_page_bytes_max && run.row()) {
    page.push_back({.id = identity_of(run.text_at(0)),
                    .component = ComponentId(run.text_at(1)),
                    .at = run.integer_at(2),
                    .change = run.text_at(3),
                    .trail = trail_of(run.text_at(4))});
    bytes += page.back().change.size();
  }
  return page;
}

bool QueueReader::Page::full() const {
  return messages.size() >= limit || bytes >= limits::queue_page_bytes_max;
}

void QueueReader::read_on(Page& page, Run& run) {
  while (!page.full() && run.row()) {
    page.messages.push_back(message_of(run));
    page.bytes += page.messages.back().body.size();
  }
}

std::vector<Message> QueueReader::due(const ComponentId& component, Place after, EpochMs now,
                                      std::size_t limit) {
  Page page{.messages = {}, .limit = limit};
  if (after.due > now) return {};
  const auto rows = static_cast<std::int64_t>(limit);
  Run together(due_together_);
  together.text(component.value).integer(after.due).integer(after.number.value);
  read_on(page, together.integer(rows));
  if (page.full()) return std::move(page.messages);
  Run later(due_later_);
  read_on(page, later.text(component.value).integer(after.due).integer(now).integer(rows));
  return std::move(page.messages);
}

std::optional<EpochMs> QueueReader::next_due(const ComponentId& component, EpochMs now) {
  Run run(next_due_);
  run.text(component.value).integer(now).row();
  return run.optional_integer_at(0);
}

MessageNumber QueueReader::last_number() {
  Run run(last_number_);
  run.row();
  return MessageNumber(run.integer_at(0));
}

std::size_t QueueReader::waiting() {
  Run run(waiting_);
  run.row();
  return static_cast<std::size_t>(run.integer_at(0));
}

Backlog QueueReader::backlog() {
  Backlog backlog;
  Run each(waiting_of_each_);
  while (each.row())
    backlog.messages[ComponentId(each.text_at(0))] = static_cast<std::size_t>(each.integer_at(1));
  Run records(records_waiting_);
  records.row();
  backlog.records = static_cast<std::size_t>(records.integer_at(0));
  return backlog;
}

std::vector<ParkedMessage> QueueReader::parked(const ParkedFilter& filter, MessageNumber after,
                                               std::size_t limit) {
  std::vector<ParkedMessage> page;
  std::size_t bytes = 0;
  Run run(parked_);
  run.integer(after.value);
  while (page.size() < limit && bytes < limits::queue_page_bytes_max && run.row()) {
    ParkedMessage parked{.message = message_of(run),
                         .at = run.integer_at(12),
                         .failure = {.code = static_cast<Code>(run.integer_at(13)),
                                     .reason = run.text_at(14),
                                     .cause = run.optional_text_at(15),
                                     .stack = run.text_at(16)}};
    if (!matches(filter, parked)) continue;
    bytes += bytes_of(parked);
    page.push_back(std::move(parked));
  }
  return page;
}

}  // namespace toa::storage::sqlite
