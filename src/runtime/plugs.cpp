#include "runtime/plugs.hpp"

#include <random>

#include "storage/sqlite/sqlite_storage.hpp"

namespace toa::runtime {
namespace {

std::uint64_t a_seed() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

Plugs Plugs::standard() {
  return {.open_storage = [](const StorageSite& site) -> Result<PluggedStorage> {
    storage::sqlite::SqliteStorage::Options options{
        .file = site.folder + "/toa.db",
        .on_clock_jump = site.on_clock_jump,
        .accepts_early = site.accepts_early,
        .removes_expired = site.removes_expired,
        .inbox = {.seed = a_seed()},
        .on_many_calls = site.on_many_calls,
        .keeping = {.history = site.outbox_retention_s * 1'000,
                    .window = site.inbox_window_max_s * 1'000}};
    auto opened = storage::sqlite::SqliteStorage::open(
        std::move(options),
        {site.loop, site.writer, site.reader, site.clock, site.faults, &site.scans});
    if (!opened) return std::unexpected(opened.error());
    auto* sqlite = opened->get();
    return PluggedStorage{std::move(*opened), sqlite, &sqlite->clock(), sqlite};
  }};
}

}  // namespace toa::runtime
