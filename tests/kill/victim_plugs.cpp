#include "kill/victim_plugs.hpp"

#include <map>

#include "kill/early_reply.hpp"
#include "kill/split_commit.hpp"
#include "kill/unsynced.hpp"
#include "storage/sqlite/sqlite_storage.hpp"

namespace toa::kill {
namespace {

using runtime::PluggedStorage;
using runtime::Plugs;
using runtime::StorageSite;
using storage::Storage;
using Wrap = std::function<std::unique_ptr<Storage>(std::unique_ptr<Storage>, Loop&)>;

Plugs lossy(const lossy::Vfs& disk) {
  return {[&disk](const StorageSite& site) -> Result<PluggedStorage> {
    auto opened = storage::sqlite::SqliteStorage::open(
        {.file = site.folder + "/toa.db", .vfs = disk.name()},
        {site.loop, site.writer, site.reader, site.clock, site.faults});
    if (!opened) return std::unexpected(opened.error());
    auto* sqlite = opened->get();
    return PluggedStorage{std::move(*opened), sqlite, &sqlite->clock(), sqlite};
  }};
}

Plugs plain() {
  return {[open = Plugs::standard().open_storage](const StorageSite& site) {
    auto plain = site;
    plain.accepts_early = false;
    return open(plain);
  }};
}

Plugs unsynced(const lossy::Vfs& disk) {
  forget_to_sync();
  return lossy(disk);
}

Plugs wrapped(Plugs inner, Wrap wrap) {
  return {[open = std::move(inner.open_storage),
           wrap = std::move(wrap)](const StorageSite& site) -> Result<PluggedStorage> {
    auto opened = open(site);
    if (!opened) return opened;
    return PluggedStorage{wrap(std::move(opened->storage), site.loop), opened->queue, opened->clock,
                          opened->remembered};
  }};
}

std::unique_ptr<Storage> reply_early(std::unique_ptr<Storage> inner, Loop& loop) {
  return std::make_unique<EarlyReply>(std::move(inner), loop);
}

Wrap split(Order order) {
  return [order](std::unique_ptr<Storage> inner, Loop&) {
    return std::make_unique<SplitCommit>(std::move(inner), order);
  };
}

}  // namespace

Result<Plugs> plugs_of(const std::string& name, const lossy::Vfs& disk) {
  if (name == "standard") return Plugs::standard();
  if (name == "plain") return plain();
  if (name == "lossy") return lossy(disk);
  if (name == "mutant-reply-early") return wrapped(Plugs::standard(), reply_early);
  if (name == "mutant-inbox-outside") {
    return wrapped(Plugs::standard(), split(Order::state_then_record));
  }
  if (name == "mutant-inbox-first") {
    return wrapped(Plugs::standard(), split(Order::record_then_state));
  }
  if (name == "mutant-no-sync") return unsynced(disk);
  return fail(ErrorKind::invalid, "KILL_STORAGE: '" + name + "' is no storage of the victim");
}

}  // namespace toa::kill
