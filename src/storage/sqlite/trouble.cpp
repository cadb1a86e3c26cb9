#include "storage/sqlite/trouble.hpp"

#include <cerrno>
#include <fmt/format.h>
#include <system_error>

namespace toa::storage::sqlite {

namespace {

Error no_space(const std::string& path) {
  return {ErrorKind::unavailable,
          fmt::format("{}: no space left on the device; nothing was stored. Free some space: "
                      "storing goes on by itself.",
                      path)};
}

Error damaged(const std::string& file, int code) {
  return {ErrorKind::broken,
          fmt::format("{} is damaged ({}). Stop the application, keep a copy of the folder, and "
                      "restore a backup, or recover with `sqlite3 {} .recover`.",
                      file, sqlite3_errstr(code), file)};
}

Error not_allowed(const std::string& path, const std::string& why) {
  return {ErrorKind::unavailable,
          fmt::format("{} cannot be written: {}. Let the user that runs Toa own the file and its "
                      "folder, or choose another folder with --data.",
                      path, why)};
}

bool is_no_space(int system) {
  return system == ENOSPC || system == EDQUOT;
}

bool is_not_allowed(int system) {
  return system == EACCES || system == EPERM || system == EROFS;
}

/// SQLite's own findings: no call of the system failed, and the errno that it reports is of one
/// that failed before.
bool is_without_errno(int code) {
  switch (code) {
    case SQLITE_IOERR_SHORT_READ:
    case SQLITE_IOERR_CORRUPTFS:
    case SQLITE_IOERR_DATA:
    case SQLITE_CANTOPEN_NOTEMPDIR:
    case SQLITE_CANTOPEN_ISDIR:
    case SQLITE_CANTOPEN_DIRTYWAL:
    case SQLITE_CANTOPEN_SYMLINK:
      return true;
    default:
      return false;
  }
}

}  // namespace

Error trouble(const std::string& file, int code, int system) {
  const int primary = code & 0xff;
  if (primary == SQLITE_FULL) return no_space(file);
  if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB) return damaged(file, primary);
  if (primary == SQLITE_READONLY || primary == SQLITE_PERM || primary == SQLITE_AUTH)
    return not_allowed(file, sqlite3_errstr(primary));
  if (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN) {
    if (system != 0 && !is_without_errno(code)) return system_trouble(file, system);
    return {ErrorKind::unavailable,
            fmt::format("{}: {} (code {}). Look at the disk and the system's log.", file,
                        sqlite3_errstr(code), code)};
  }
  if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED)
    return {ErrorKind::unavailable,
            fmt::format("{} is locked by another program; nothing was stored. Close what else "
                        "writes to it.",
                        file)};
  if (primary == SQLITE_NOMEM)
    return {ErrorKind::unavailable, fmt::format("{}: out of memory; nothing was stored.", file)};
  return {ErrorKind::broken, fmt::format("{}: {} (code {}).", file, sqlite3_errstr(code), code)};
}

Error system_trouble(const std::string& path, int system) {
  const auto why = std::generic_category().message(system);
  if (is_no_space(system)) return no_space(path);
  if (is_not_allowed(system)) return not_allowed(path, why);
  if (system == EIO)
    return {ErrorKind::unavailable,
            fmt::format("{}: the disk reported an error. Look at the system's log.", path)};
  return {ErrorKind::unavailable,
          fmt::format("{} cannot be used: {}. Choose another folder with --data.", path, why)};
}

}  // namespace toa::storage::sqlite
