#include "storage/sqlite/connection.hpp"

#include "base/limits.hpp"
#include "storage/sqlite/trouble.hpp"

namespace toa::storage::sqlite {

Result<Connection> Connection::open(std::string file, const std::string& vfs, Access access) {
  const int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                    (access == Access::read_only ? SQLITE_OPEN_READONLY
                                                 : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &db, flags, vfs.empty() ? nullptr : vfs.c_str());
  Connection connection(std::move(file), db);
  if (code != SQLITE_OK) return std::unexpected(connection.describe(Failed{code}));
  sqlite3_busy_timeout(db, static_cast<int>(limits::storage_lock_wait_max.count()));
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  return connection;
}

void Connection::run(const std::string& sql) {
  const int code = sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw Failed{sqlite3_extended_errcode(db_.get())};
}

std::string Connection::ask(const std::string& sql) {
  const auto statement = prepare(sql);
  Run run(statement);
  return run.row() ? run.text_at(0) : std::string();
}

Statement Connection::prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(db_.get(), sql.c_str(), static_cast<int>(sql.size() + 1),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) throw Failed{sqlite3_extended_errcode(db_.get())};
  return Statement(statement);
}

Error Connection::describe(const Failed& failed) const {
  return trouble(file_, failed.code, db_ ? sqlite3_system_errno(db_.get()) : 0);
}

}  // namespace toa::storage::sqlite
