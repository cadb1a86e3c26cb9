#include <array>
#include <optional>
#include <sqlite3.h>

#include "cli/commands.hpp"
#include "runtime/plugs.hpp"
#include "storage/sqlite/sqlite_storage.hpp"

namespace {

constexpr auto vfs_name = "unsynced";

int flush_nothing(sqlite3_file*, int) {
  return SQLITE_OK;
}

int open_unsynced(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* given) {
  auto* system = sqlite3_vfs_find(nullptr);
  const int code = system->xOpen(system, name, file, flags, given);
  if (code != SQLITE_OK || file->pMethods == nullptr) return code;
  // The database's own file takes locks, the others do not: two kinds.
  static std::array<std::optional<sqlite3_io_methods>, 2> kinds;
  auto& methods = kinds[(flags & SQLITE_OPEN_MAIN_DB) != 0 ? 1 : 0];
  if (!methods) {
    methods = *file->pMethods;
    methods->xSync = flush_nothing;
  }
  file->pMethods = &*methods;
  return code;
}

using toa::Result;
using toa::runtime::StorageSite;
using toa::storage::sqlite::SqliteStorage;

Result<toa::runtime::PluggedStorage> open_storage(const StorageSite& site) {
  auto opened = SqliteStorage::open({.file = site.folder + "/toa.db", .vfs = vfs_name},
                                    {site.loop, site.writer, site.reader, site.clock, site.faults});
  if (!opened) return std::unexpected(opened.error());
  auto* sqlite = opened->get();
  return toa::runtime::PluggedStorage{std::move(*opened), sqlite, &sqlite->clock(), sqlite};
}

}  // namespace

/// `toa` over a disk that never flushes. For measurements only: it keeps nothing through a power
/// failure.
int main(int argc, char** argv) {
  sqlite3_vfs vfs = *sqlite3_vfs_find(nullptr);
  vfs.zName = vfs_name;
  vfs.xOpen = open_unsynced;
  sqlite3_vfs_register(&vfs, 0);
  return toa::cli::run(argc, argv, {.open_storage = open_storage});
}
