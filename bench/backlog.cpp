#include "backlog.hpp"

#include <fmt/format.h>

#include "expect.hpp"
#include "storage/sqlite/schema.hpp"

namespace toa::bench {
namespace {

using storage::sqlite::Access;
using storage::sqlite::Connection;

// An hour ago, so that all is due.
constexpr auto counted =
    "WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < {}) ";
constexpr auto long_ago = "(unixepoch() - 3600) * 1000";
constexpr auto object = "printf('%032x', n % 1000)";

Connection open(const std::string& data) {
  auto opened = Connection::open(data + "/toa.db", {}, Access::read_write);
  expect(opened.has_value(), "the file of the application cannot be opened");
  return std::move(*opened);
}

}  // namespace

Backlog::Backlog(const std::string& data) : connection_(open(data)) {}

void Backlog::run(const std::string& sql) {
  try {
    connection_.run(sql);
  } catch (const storage::sqlite::Failed& failed) {
    expect(false, connection_.describe(failed).message);
  }
}

std::uint64_t Backlog::ask(const std::string& sql) {
  try {
    return std::stoull(connection_.ask(sql));
  } catch (const storage::sqlite::Failed& failed) {
    throw Failed(connection_.describe(failed).message);
  }
}

void Backlog::add_messages(std::uint64_t count) {
  run(fmt::format(counted, count) +
      fmt::format(
          "INSERT INTO messages (id, kind, component, name, body, trail, readonly, made, attempt,"
          " due) SELECT randomblob(16), 0, 'bench.sinks', 'bench.sources.credited',"
          " '{{\"source\":\"' || {} || '\",\"by\":1}}',"
          " '[\"bench.sources.credit\",\"~bench.sources.credited\"]', 0, {}, 1, {} FROM count",
          object, long_ago, long_ago));
  run("INSERT OR REPLACE INTO meta SELECT 'number', max(number) FROM messages");
}

void Backlog::add_records(std::uint64_t count) {
  run(fmt::format(counted, count) +
      fmt::format("INSERT INTO outbox (id, component, at, change, trail) SELECT randomblob(16),"
                  " 'bench.sources', {}, '{{\"origin\":null,\"state\":{{\"id\":\"' || {} ||"
                  " '\",\"total\":1}},\"trailers\":{{}},\"input\":{{\"by\":1}}}}',"
                  " '[\"bench.sources.credit\"]' FROM count",
                  long_ago, object));
}

std::uint64_t Backlog::applied() {
  return ask("SELECT coalesce(sum(version), 0) FROM " +
             storage::sqlite::object_table(ComponentId("bench.sinks")));
}

std::uint64_t Backlog::waiting() {
  return ask("SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM outbox)");
}

}  // namespace toa::bench
