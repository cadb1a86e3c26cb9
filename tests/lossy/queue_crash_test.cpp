#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "async/manual_loop.hpp"
#include "async/scope.hpp"
#include "lossy/lossy_vfs.hpp"
#include "storage/sqlite/sqlite_storage.hpp"
#include "storage/sqlite/temporary_folder.hpp"

namespace toa::storage::sqlite {
namespace {

const ComponentId wallets{"shop.wallets"};
constexpr EpochMs start = 1'700'000'000'000;
constexpr int waves = 4, deliveries_in_wave = 5;
constexpr int deliveries = waves * deliveries_in_wave;
constexpr std::size_t many = 1'000;

Identity identity(int n) {
  Identity::Bytes bytes{};
  bytes[1] = static_cast<std::uint8_t>(n + 1);
  return Identity(bytes);
}

/// The message that delivery `n` handles, and the one that follows from it.
MessageNumber served(int n) {
  return MessageNumber(n + 1);
}
MessageNumber following(int n) {
  return MessageNumber(deliveries + n + 1);
}

Message message(MessageNumber number) {
  return {.number = number,
          .id = identity(static_cast<int>(number.value)),
          .component = wallets,
          .name = "shop.orders.paid",
          .body = '"' + std::string(300, 'x') + '"',
          .made = start,
          .due = start};
}

/// All that one delivery writes: its object, its call, its record's message, and that it is done.
Unit delivery(int n) {
  return {.writes = {{wallets, Version(0),
                      Object{.id = EntityId(std::to_string(n)),
                             .version = Version(1),
                             .created = start,
                             .updated = start,
                             .deleted = std::nullopt,
                             .region = 0,
                             .properties = "{}"}}},
          .remembered = Remembered{"shop.wallets.credit", identity(n), std::chrono::hours(1), "1"},
          .messages = {message(following(n))},
          .published = {identity(n)},
          .fates = {Acknowledge{served(n)}}};
}

struct World {
  World(const std::string& file, const std::string& vfs, const std::string& fault = {}) {
    EXPECT_TRUE(faults.arm(fault));
    auto opened =
        SqliteStorage::open({.file = file, .vfs = vfs}, {loop, executor, executor, clock, faults});
    EXPECT_TRUE(opened) << opened.error().message;
    storage = std::move(*opened);
    EXPECT_TRUE(loop.run_until(storage->prepare({wallets})));
  }

  ManualClock clock{start};
  ManualLoop loop;
  LoopExecutor executor{loop};
  Faults faults;
  std::unique_ptr<SqliteStorage> storage;
};

/// What an earlier life left: every message, and every record.
void lay(const std::string& file) {
  World world(file, {});
  Unit unit;
  for (int n = 0; n < deliveries; ++n) {
    unit.messages.push_back(message(served(n)));
    unit.records.push_back({.id = identity(n), .component = wallets, .at = start, .change = "{}"});
  }
  ASSERT_TRUE(world.loop.run_until(world.storage->commit(std::move(unit))));
  world.loop.run_until(world.storage->close());
}

Task<void> deliver_and_tell(Storage& storage, int n, int pipe) {
  const auto outcome = co_await storage.commit(delivery(n));
  if (outcome && std::holds_alternative<Stored>(*outcome))
    if (::write(pipe, &n, sizeof n) != sizeof n) ::_exit(3);
}

/// Delivers all in waves, over the disk that loses unsynced writes, and tells the pipe of each that
/// was answered.
[[noreturn]] void work(const std::string& file, const std::string& fault, int pipe) {
  lossy::Vfs vfs("lossy_queue_child");
  World world(file, vfs.name(), fault);
  for (int wave = 0; wave < waves; ++wave) {
    Scope scope(world.loop);
    for (int i = 0; i < deliveries_in_wave; ++i)
      scope.spawn(deliver_and_tell(*world.storage, wave * deliveries_in_wave + i, pipe));
    world.loop.run_until(scope.close());
  }
  ::_exit(0);
}

std::set<int> answered(int pipe) {
  std::set<int> all;
  for (int n = 0; ::read(pipe, &n, sizeof n) == sizeof n;) all.insert(n);
  return all;
}

/// Which deliveries the file holds; a part of one is a failure.
std::set<int> stored_deliveries(const std::string& file, const std::string& vfs) {
  World world(file, vfs);
  const auto run = [&](auto task) { return world.loop.run_until(std::move(task)).value(); };
  std::set<std::int64_t> waiting;
  for (const auto& each : run(world.storage->due(wallets, {}, start, many)))
    waiting.insert(each.number.value);
  std::set<Identity> records;
  for (const auto& each : run(world.storage->records(std::nullopt, many))) records.insert(each.id);

  std::set<int> all;
  for (int n = 0; n < deliveries; ++n) {
    const bool applied = run(world.storage->load(wallets, EntityId(std::to_string(n)))).has_value();
    const auto recalled = run(world.storage->recall("shop.wallets.credit", identity(n)));
    EXPECT_EQ(recalled.has_value(), applied) << "delivery " << n;
    EXPECT_EQ(waiting.contains(served(n).value), !applied) << "delivery " << n;
    EXPECT_EQ(waiting.contains(following(n).value), applied) << "delivery " << n;
    EXPECT_EQ(records.contains(identity(n)), !applied) << "delivery " << n;
    if (applied) all.insert(n);
  }
  EXPECT_GE(run(world.storage->last_number()).value, waiting.empty() ? 0 : *waiting.rbegin());
  world.loop.run_until(world.storage->close());
  return all;
}

/// Kills a process at the `occurrence`-th time that it reaches `place`; false where it came to its
/// end instead.
bool kill_at(const std::string& place, int occurrence) {
  const auto what = place + ":" + std::to_string(occurrence) + "=crash";
  SCOPED_TRACE(what);
  TemporaryFolder folder;
  const auto file = folder.path() + "/toa.db";
  lay(file);
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const auto child = ::fork();
  if (child == 0) work(file, what, ends[1]);
  ::close(ends[1]);
  const auto told = answered(ends[0]);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  EXPECT_TRUE(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) << status;

  const auto kept = stored_deliveries(file, {});
  EXPECT_TRUE(std::ranges::includes(kept, told));
  if (!killed) EXPECT_EQ(kept.size(), static_cast<std::size_t>(deliveries));
  return killed;
}

// D3: state, record of the call, what follows from it, and the acknowledgement are one.
TEST(QueueCrash, ADeliveryIsWholeOrNotAtAllWhereverItIsKilled) {
  for (const std::string place : {"commit.before", "commit.written", "commit.after"}) {
    int occurrence = 1;
    while (kill_at(place, occurrence)) ++occurrence;
    EXPECT_EQ(occurrence, waves + 1) << place;
  }
}

TEST(QueueCrash, ADeliveryIsWholeOrNotAtAllWhateverOfALostCommitSurvives) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    TemporaryFolder folder;
    const auto file = folder.path() + "/toa.db";
    lay(file);
    lossy::Vfs vfs("lossy_queue_seeded");
    Faults faults;
    const int good_waves = static_cast<int>(seed % waves);
    {
      auto writer = Writer::open(file, vfs.name(), faults);
      ASSERT_TRUE(writer);
      ASSERT_TRUE((*writer)->prepare(std::array{Collection(wallets)}, 0, {}));
      for (int wave = 0; wave <= good_waves; ++wave) {
        std::vector<Unit> units;
        for (int i = 0; i < deliveries_in_wave; ++i)
          units.push_back(delivery(wave * deliveries_in_wave + i));
        if (wave == good_waves) vfs.set_fault(lossy::Fault::error_on_sync);
        const auto batch = (*writer)->apply(units, {start, start, start});
        EXPECT_EQ(std::holds_alternative<UnknownOutcome>(batch), wave == good_waves);
      }
      vfs.crash(seed);
      vfs.set_fault(lossy::Fault::none);
    }
    const auto kept = stored_deliveries(file, vfs.name());
    const auto promised = static_cast<std::size_t>(good_waves * deliveries_in_wave);
    EXPECT_TRUE(kept.size() == promised || kept.size() == promised + deliveries_in_wave)
        << kept.size();
  }
}

}  // namespace
}  // namespace toa::storage::sqlite
