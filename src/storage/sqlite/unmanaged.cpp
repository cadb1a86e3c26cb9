#include "storage/sqlite/unmanaged.hpp"

#include <cmath>
#include <cstring>
#include <fmt/format.h>

#include "base/limits.hpp"
#include "storage/sqlite/schema.hpp"
#include "storage/sqlite/watch.hpp"

namespace toa::storage::sqlite {
namespace {

std::string view_of(const ComponentId& component) {
  return fmt::format(
      "CREATE TEMP VIEW objects AS SELECT id, version AS VERSION, created AS CREATED,"
      " updated AS UPDATED, deleted AS DELETED, region AS REGION, properties FROM main.{}",
      object_table(component));
}

bool is(const char* one, const char* other) {
  return one != nullptr && std::strcmp(one, other) == 0;
}

/// `own` is the name of the component's table. Names that a statement gives are no reason to trust
/// it: an author may call anything `objects`, but not what is read beneath it.
int permit(void* own, int action, const char* table, const char* name, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return is(name, "load_extension") || is(name, "fts3_tokenizer") ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_READ: {
      const bool known = is(table, static_cast<const char*>(own)) || is(table, "objects") ||
                         is(table, "json_each") || is(table, "json_tree");
      return known ? SQLITE_OK : SQLITE_DENY;
    }
    default:
      return SQLITE_DENY;
  }
}

/// Prepares what an author wrote, with everything refused that it may not do.
int prepare_watched(sqlite3* db, std::string own, const std::string& sql, sqlite3_stmt*& statement,
                    const char*& rest) {
  // What SQLite does for itself when it first meets these is not for the authorizer to refuse.
  sqlite3_exec(db, "SELECT 1 FROM json_each('[]'), json_tree('[]'), objects LIMIT 0", nullptr,
               nullptr, nullptr);
  sqlite3_set_authorizer(db, permit, own.data());
  const int code =
      sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size() + 1), &statement, &rest);
  sqlite3_set_authorizer(db, nullptr, nullptr);
  return code;
}

void bound_it(sqlite3* db) {
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, static_cast<int>(limits::find_bytes_max));
  sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, static_cast<int>(limits::unmanaged_sql_bytes_max));
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
}

std::unexpected<Error> refused(std::string why) {
  return fail(ErrorKind::invalid, "unmanaged: " + std::move(why));
}

/// False for a value that SQL has not.
bool bind(sqlite3_stmt* statement, int parameter, const Json& value) {
  if (value.is_null()) return sqlite3_bind_null(statement, parameter) == SQLITE_OK;
  if (value.is_bool())
    return sqlite3_bind_int(statement, parameter, value.get_bool() ? 1 : 0) == SQLITE_OK;
  if (value.is_int64())
    return sqlite3_bind_int64(statement, parameter, value.get_int64()) == SQLITE_OK;
  if (value.is_number())
    return sqlite3_bind_double(statement, parameter, value.to_number<double>()) == SQLITE_OK;
  const auto* text = value.if_string();
  return text != nullptr && sqlite3_bind_text64(statement, parameter, text->data(), text->size(),
                                                SQLITE_TRANSIENT, SQLITE_UTF8) == SQLITE_OK;
}

/// Whole numbers beyond 2^53 become the nearest that JavaScript has; so do infinities null.
void print_number(std::string& out, double number) {
  json::print_to(out, std::isfinite(number) ? Json(number) : Json());
}

Result<void> print_value(std::string& out, sqlite3_stmt* statement, int column) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
      out += "null";
      return {};
    case SQLITE_INTEGER: {
      const auto number = sqlite3_column_int64(statement, column);
      if (number > exact || number < -exact) {
        print_number(out, static_cast<double>(number));
      } else {
        out += std::to_string(number);
      }
      return {};
    }
    case SQLITE_FLOAT:
      print_number(out, sqlite3_column_double(statement, column));
      return {};
    case SQLITE_TEXT: {
      const auto* text = static_cast<const char*>(sqlite3_column_blob(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      json::print_string_to(out, text ? std::string_view(text, size) : std::string_view());
      return {};
    }
    default:
      return refused(fmt::format("column '{}' is a blob, which JSON has not",
                                 sqlite3_column_name(statement, column)));
  }
}

Result<void> print_row(std::string& out, sqlite3_stmt* statement) {
  out += '{';
  for (int column = 0; column < sqlite3_column_count(statement); ++column) {
    if (column > 0) out += ',';
    json::print_string_to(out, sqlite3_column_name(statement, column));
    out += ':';
    if (auto printed = print_value(out, statement, column); !printed) return printed;
  }
  out += '}';
  return {};
}

}  // namespace

Result<std::string> Unmanaged::query(const ComponentId& component, const std::string& sql,
                                     const JsonArray& values) {
  auto connection = connection_of(component);
  if (!connection) return std::unexpected(connection.error());
  const Watch watch(**connection, clock_, limits::unmanaged_time_max);
  return rows(**connection, component, sql, values);
}

Result<Connection*> Unmanaged::connection_of(const ComponentId& component) {
  if (const auto known = connections_.find(component.value); known != connections_.end())
    return known->second.get();
  auto opened = Connection::open(file_, vfs_, Access::read_only);
  if (!opened) return std::unexpected(opened.error());
  try {
    // A temporary view changes no file; what is read-only then stays so.
    opened->run("PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0; PRAGMA cache_size = -2000");
    opened->run(view_of(component));
    opened->run("PRAGMA query_only = ON");
  } catch (const Failed& failed) {
    return std::unexpected(opened->describe(failed));
  }
  bound_it(opened->get());
  auto kept = std::make_unique<Connection>(*std::move(opened));
  return connections_.emplace(component.value, std::move(kept)).first->second.get();
}

Result<std::string> Unmanaged::rows(Connection& connection, const ComponentId& component,
                                    const std::string& sql, const JsonArray& values) {
  const auto told = [&] { return refused(sqlite3_errmsg(connection.get())); };
  sqlite3_stmt* prepared = nullptr;
  const char* rest = nullptr;
  if (prepare_watched(connection.get(), object_table_name(component), sql, prepared, rest) !=
      SQLITE_OK)
    return told();
  const Statement statement(prepared);
  if (prepared == nullptr) return refused("there is no statement");
  if (std::string_view(rest).find_first_not_of(" \t\r\n;") != std::string_view::npos)
    return refused("one statement at a time");
  const auto wanted = static_cast<std::size_t>(sqlite3_bind_parameter_count(prepared));
  if (wanted != values.size())
    return refused(
        fmt::format("the statement takes {} values, and {} are given", wanted, values.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!bind(prepared, static_cast<int>(i) + 1, values[i]))
      return refused("a value must be a text, a number, true, false or null");
  std::string out = "[";
  std::size_t count = 0;
  int code = SQLITE_ROW;
  for (code = sqlite3_step(prepared); code == SQLITE_ROW; code = sqlite3_step(prepared)) {
    if (count++ > 0) out += ',';
    if (auto printed = print_row(out, prepared); !printed) return std::unexpected(printed.error());
    if (count > limits::unmanaged_rows_max || out.size() > limits::find_bytes_max)
      return refused(fmt::format("the answer is larger than {} rows or {} MB: state a LIMIT",
                                 limits::unmanaged_rows_max, limits::find_bytes_max >> 20));
  }
  if (code == SQLITE_INTERRUPT)
    return refused(fmt::format("the statement took longer than {} s",
                               limits::unmanaged_time_max.count() / 1'000));
  if (code != SQLITE_DONE) return told();
  return out + "]";
}

}  // namespace toa::storage::sqlite
