#pragma once

#include <memory>
#include <sqlite3.h>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "storage/sqlite/statement.hpp"

namespace toa::storage::sqlite {

enum class Access { read_write, read_only };

/// An open database file. Used by one thread at a time.
class Connection {
 public:
  /// `vfs` is the name of a registered SQLite VFS; empty for the system's own.
  static Result<Connection> open(std::string file, const std::string& vfs, Access access);

  /// Runs SQL that returns nothing of interest. Throws Failed.
  void run(const std::string& sql);
  /// The first value of the first row. Throws Failed.
  std::string ask(const std::string& sql);
  /// Throws Failed.
  Statement prepare(const std::string& sql);

  /// What `failed` means for a person. Call it before anything else is done with the connection.
  Error describe(const Failed& failed) const;
  bool in_transaction() const { return sqlite3_get_autocommit(db_.get()) == 0; }
  sqlite3* get() const { return db_.get(); }
  const std::string& file() const { return file_; }

 private:
  struct Close {
    void operator()(sqlite3* db) const noexcept { sqlite3_close_v2(db); }
  };
  Connection(std::string file, sqlite3* db) : file_(std::move(file)), db_(db) {}

  std::string file_;
  std::unique_ptr<sqlite3, Close> db_;
};

}  // namespace toa::storage::sqlite
