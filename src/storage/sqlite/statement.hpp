#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <vector>

#include "model/identity.hpp"
#include "storage/sqlite/sql.hpp"

namespace toa::storage::sqlite {

/// SQLite refused a step. Thrown below `Writer` and `Reader`, which turn it into a value; it never
/// leaves them.
struct Failed {
  int code = SQLITE_ERROR;
};

struct Finalize {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};
/// A prepared statement, kept for as long as its connection.
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

/// One run of a statement: parameters in their order, then steps. What is bound must outlive the
/// run. Its end resets the statement, without which a read would hold its snapshot and keep the log
/// from being reused.
class Run {
 public:
  explicit Run(const Statement& statement) : statement_(statement.get()) {}
  ~Run() { sqlite3_reset(statement_); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Run& integer(std::int64_t value);
  Run& integer_or_null(std::optional<std::int64_t> value);
  Run& text(std::string_view value);
  Run& text_or_null(const std::optional<std::string>& value);
  Run& blob(std::string_view value);
  Run& all(const std::vector<Bound>& values);

  /// Steps once: whether there is a row. Throws Failed.
  bool row();
  /// Steps to the end of a statement that returns no row, and counts the rows that it changed.
  /// Throws Failed.
  std::int64_t changed();

  std::int64_t integer_at(int column) const { return sqlite3_column_int64(statement_, column); }
  std::optional<std::int64_t> optional_integer_at(int column) const;
  std::string text_at(int column) const;
  std::optional<std::string> optional_text_at(int column) const;
  Identity identity_at(int column) const;

 private:
  void bound(int code);
  bool null_at(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

  sqlite3_stmt* statement_;
  int parameter_ = 0;
};

}  // namespace toa::storage::sqlite
