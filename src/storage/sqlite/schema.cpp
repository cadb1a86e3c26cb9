#include "storage/sqlite/schema.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/limits.hpp"

namespace toa::storage::sqlite {

namespace {

constexpr auto format_1 = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE endpoints (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE inbox (
  endpoint INTEGER NOT NULL,
  identity BLOB NOT NULL,
  expires INTEGER NOT NULL,
  reply TEXT,
  UNIQUE (endpoint, identity)
);
CREATE INDEX inbox_expires ON inbox (expires);
CREATE TABLE outbox (
  id BLOB NOT NULL,
  component TEXT NOT NULL,
  at INTEGER NOT NULL,
  change TEXT NOT NULL,
  trail TEXT NOT NULL,
  published_at INTEGER
);
CREATE UNIQUE INDEX outbox_waiting ON outbox (id) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;
CREATE TABLE messages (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL,
  kind INTEGER NOT NULL,
  component TEXT NOT NULL,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  trail TEXT NOT NULL,
  readonly INTEGER NOT NULL,
  made INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  due INTEGER NOT NULL,
  failed INTEGER NOT NULL DEFAULT 0,
  parked_at INTEGER,
  code INTEGER,
  reason TEXT,
  cause TEXT,
  stack TEXT
);
CREATE INDEX messages_due ON messages (component, due) WHERE parked_at IS NULL;
CREATE INDEX messages_parked ON messages (number) WHERE parked_at IS NOT NULL;
CREATE INDEX messages_prefix ON messages (substr(id, 1, 6));
CREATE TABLE pins (prefix BLOB PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX pins_until ON pins (until);
)sql";

constexpr auto format_2 = R"sql(
CREATE TABLE migrations (
  component TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (component, id)
) WITHOUT ROWID;
CREATE TABLE indexes (
  number INTEGER PRIMARY KEY,
  component TEXT NOT NULL,
  name TEXT NOT NULL,
  shape TEXT NOT NULL,
  text INTEGER NOT NULL,
  ttl INTEGER,
  expired TEXT,
  UNIQUE (component, name)
);
)sql";

// `inbox` holds what was remembered before there were slices, and what is carried out of them.
constexpr auto format_3 = R"sql(
CREATE TABLE inbox_slices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  window INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  state INTEGER NOT NULL,
  filter BLOB
);
)sql";

// The identity that a receiver stated for its call, which begins another chain than the message's.
constexpr auto format_4 = R"sql(
ALTER TABLE messages ADD COLUMN stated BLOB;
CREATE INDEX messages_stated ON messages (substr(stated, 1, 6)) WHERE stated IS NOT NULL;
)sql";

int number(Connection& connection, const char* pragma) {
  return std::stoi(connection.ask(fmt::format("PRAGMA {}", pragma)));
}

Error not_ours(const std::string& file) {
  return {
      ErrorKind::invalid,
      fmt::format("{} is a database of another program. Choose another folder with --data.", file)};
}

Error too_new(const std::string& file, int version) {
  return {ErrorKind::invalid,
          fmt::format("{} was written by a newer Toa (its format is {}, this program knows up to "
                      "{}). Run that version, or choose another folder with --data.",
                      file, version, format_version)};
}

Error no_log(const std::string& file) {
  return {ErrorKind::invalid,
          fmt::format("{}: this file system cannot share memory between programs, which the "
                      "write-ahead log needs. Choose a local folder with --data.",
                      file)};
}

/// From the format that the file is in, 0 for none yet.
void bring_up_to_date(Connection& connection, int version) {
  if (version == format_version) return;
  connection.run("BEGIN IMMEDIATE");
  if (version < 1) connection.run(format_1);
  if (version < 2) connection.run(format_2);
  if (version < 3) connection.run(format_3);
  connection.run(format_4);
  connection.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; COMMIT",
                             application_id, format_version));
}

Result<void> identify(Connection& connection) {
  const int id = number(connection, "application_id");
  const int version = number(connection, "user_version");
  const bool empty = connection.ask("SELECT count(*) FROM sqlite_schema") == "0";
  if (id != application_id && !(id == 0 && empty))
    return std::unexpected(not_ours(connection.file()));
  if (version > format_version) return std::unexpected(too_new(connection.file(), version));
  return {};
}

Result<void> prepare_file(Connection& connection) {
  // Asked before anything is written: a file that is not ours stays as it is.
  if (auto known = identify(connection); !known) return known;
  connection.run("PRAGMA page_size = 4096");
  if (connection.ask("PRAGMA journal_mode = WAL") != "wal")
    return std::unexpected(no_log(connection.file()));
  // The schema is our own; where it is not trusted, SQLite 3.40 refuses its JSON functions in an
  // index. The log is copied back between batches, by the writer's own count, and not within a
  // commit that callers wait for.
  connection.run(fmt::format(
      "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = OFF;"
      "PRAGMA trusted_schema = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;"
      "PRAGMA cache_size = -{}",
      limits::storage_writer_cache_bytes_max / 1024));
  bring_up_to_date(connection, number(connection, "user_version"));
  // A process that was killed may leave a log that others can read and the disk does not have yet.
  // This flushes it, so that nothing is ever computed from a state that a power failure could take
  // back.
  connection.run("PRAGMA wal_checkpoint(PASSIVE)");
  return {};
}

}  // namespace

Result<void> set_up_writer(Connection& connection) {
  try {
    return prepare_file(connection);
  } catch (const Failed& failed) {
    return std::unexpected(connection.describe(failed));
  }
}

Result<void> set_up_reader(Connection& connection) {
  try {
    connection.run(
        fmt::format("PRAGMA query_only = ON; PRAGMA trusted_schema = ON; PRAGMA mmap_size = 0;"
                    "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -{}",
                    limits::storage_reader_cache_bytes_max / 1024));
    return {};
  } catch (const Failed& failed) {
    return std::unexpected(connection.describe(failed));
  }
}

std::string is_pinned(const std::string& identity, const std::string& now_parameter) {
  return fmt::format(
      "(EXISTS (SELECT 1 FROM messages WHERE substr(messages.id, 1, 6) = substr({0}, 1, 6))"
      " OR EXISTS (SELECT 1 FROM messages WHERE messages.stated IS NOT NULL"
      " AND substr(messages.stated, 1, 6) = substr({0}, 1, 6))"
      " OR EXISTS (SELECT 1 FROM pins WHERE prefix = substr({0}, 1, 6) AND until > {1}))",
      identity, now_parameter);
}

std::string object_table_name(const ComponentId& component) {
  require(component.value.find('\0') == std::string::npos, "a component's id holds a zero byte");
  std::string name = "object_";
  for (const char c : component.value) {
    // `^` marks a capital, as no name has one: shop.Cart and shop.cart are two tables.
    if ((c >= 'A' && c <= 'Z') || c == '^') name += '^';
    name += c;
  }
  return name;
}

std::string object_table(const ComponentId& component) {
  std::string quoted = "\"";
  for (const char c : object_table_name(component)) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string create_object_table(const ComponentId& component) {
  return fmt::format(
      "CREATE TABLE IF NOT EXISTS {} (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
      " version INTEGER NOT NULL,"
      " created INTEGER NOT NULL, updated INTEGER NOT NULL, deleted INTEGER,"
      " region INTEGER NOT NULL, properties TEXT NOT NULL)",
      object_table(component));
}

}  // namespace toa::storage::sqlite
