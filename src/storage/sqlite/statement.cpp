#include "storage/sqlite/statement.hpp"

#include <algorithm>
#include <cerrno>

namespace toa::storage::sqlite {

namespace {

// A null pointer would bind NULL where an empty text is meant.
const char* data_of(std::string_view value) {
  return value.data() ? value.data() : "";
}

}  // namespace

void Run::bound(int code) {
  if (code != SQLITE_OK) throw Failed{code};
}

Run& Run::integer(std::int64_t value) {
  bound(sqlite3_bind_int64(statement_, ++parameter_, value));
  return *this;
}

Run& Run::integer_or_null(std::optional<std::int64_t> value) {
  if (value) return integer(*value);
  bound(sqlite3_bind_null(statement_, ++parameter_));
  return *this;
}

Run& Run::text(std::string_view value) {
  bound(sqlite3_bind_text64(statement_, ++parameter_, data_of(value), value.size(), nullptr,
                            SQLITE_UTF8));
  return *this;
}

Run& Run::text_or_null(const std::optional<std::string>& value) {
  if (value) return text(std::string_view(*value));
  bound(sqlite3_bind_null(statement_, ++parameter_));
  return *this;
}

Run& Run::blob(std::string_view value) {
  bound(sqlite3_bind_blob64(statement_, ++parameter_, data_of(value), value.size(), nullptr));
  return *this;
}

Run& Run::all(const std::vector<Bound>& values) {
  for (const auto& value : values) {
    if (const auto* bytes = std::get_if<std::string>(&value)) {
      text(*bytes);
    } else {
      integer(std::get<std::int64_t>(value));
    }
  }
  return *this;
}

bool Run::row() {
  // SQLite keeps the errno that it finds, also where no call of the system failed.
  errno = 0;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  throw Failed{sqlite3_extended_errcode(sqlite3_db_handle(statement_))};
}

std::int64_t Run::changed() {
  while (row()) {
  }
  return sqlite3_changes64(sqlite3_db_handle(statement_));
}

std::optional<std::int64_t> Run::optional_integer_at(int column) const {
  if (null_at(column)) return std::nullopt;
  return integer_at(column);
}

std::string Run::text_at(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes ? std::string(bytes, size) : std::string();
}

std::optional<std::string> Run::optional_text_at(int column) const {
  if (null_at(column)) return std::nullopt;
  return text_at(column);
}

Identity Run::identity_at(int column) const {
  Identity::Bytes bytes{};
  const auto* from = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  if (from != nullptr) std::copy_n(from, std::min(size, bytes.size()), bytes.begin());
  return Identity(bytes);
}

}  // namespace toa::storage::sqlite
