#include "runtime/plugs.hpp"

#include "storage/sqlite/sqlite_storage.hpp"

namespace toa::runtime {

Plugs Plugs::standard() {
  return {.open_storage = [](const StorageSite& site) -> Result<std::unique_ptr<storage::Storage>> {
    storage::sqlite::SqliteStorage::Options options{.file = site.folder + "/toa.db"};
    auto opened = storage::sqlite::SqliteStorage::open(
        std::move(options), {site.loop, site.writer, site.reader, site.clock, site.faults});
    if (!opened) return std::unexpected(opened.error());
    return std::unique_ptr<storage::Storage>(std::move(*opened));
  }};
}

}  // namespace toa::runtime
