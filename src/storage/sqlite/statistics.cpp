#include "storage/sqlite/statistics.hpp"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace toa::storage::sqlite {
namespace {

constexpr auto plain_indexes = "SELECT 'index_' || number AS name FROM indexes WHERE NOT text";

std::vector<std::string> texts(Connection& connection, const std::string& sql) {
  const auto statement = connection.prepare(sql);
  std::vector<std::string> found;
  for (Run run(statement); run.row();) found.push_back(run.text_at(0));
  return found;
}

bool lacks_any(Connection& connection) {
  const auto kept = "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'";
  if (connection.ask(kept) == "0") return !texts(connection, plain_indexes).empty();
  const auto without = fmt::format(
      "SELECT name FROM ({}) WHERE name NOT IN (SELECT idx FROM sqlite_stat1 WHERE idx IS NOT "
      "NULL)",
      plain_indexes);
  return !texts(connection, without).empty();
}

}  // namespace

void Statistics::begin() {
  if (lacks_any(connection_)) take();
}

void Statistics::renew_if_due() {
  if (made_ < due_at_) return;
  // Twice as many each time: they wear out by proportion.
  due_at_ = 2 * made_;
  take();
}

void Statistics::take() {
  try {
    connection_.run(fmt::format("PRAGMA analysis_limit = {}", limits::statistics_rows_max));
    for (const auto& index : texts(connection_, plain_indexes)) connection_.run("ANALYZE " + index);
  } catch (const Failed&) {
    if (connection_.in_transaction()) connection_.run("ROLLBACK");
  }
}

}  // namespace toa::storage::sqlite
