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
constexpr int waves = 5, units_in_wave = 6;
constexpr int units_in_all = waves * units_in_wave;

Identity identity(int n) {
  Identity::Bytes bytes{};
  bytes[1] = static_cast<std::uint8_t>(n / 256);
  bytes[2] = static_cast<std::uint8_t>(n % 256);
  return Identity(bytes);
}

Write creation(const std::string& id) {
  return {wallets, Version(0),
          Object{.id = EntityId(id),
                 .version = Version(1),
                 .created = start,
                 .updated = start,
                 .deleted = std::nullopt,
                 .region = 0,
                 .properties = R"({"of":")" + id + std::string(500, ' ') + "\"}"}};
}

/// Two objects and a record: whole, or not at all.
Unit unit(int n) {
  const auto id = std::to_string(n);
  return {.writes = {creation("p" + id), creation("q" + id)},
          .remembered = Remembered{"shop.wallets.credit", identity(n), std::chrono::hours(1), id}};
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

Task<void> commit_and_tell(Storage& storage, int n, int pipe) {
  const auto outcome = co_await storage.commit(unit(n));
  if (outcome && std::holds_alternative<Stored>(*outcome))
    if (::write(pipe, &n, sizeof n) != sizeof n) ::_exit(3);
}

/// Commits all units in waves, over the disk that loses unsynced writes, and tells the pipe of each
/// that was answered.
[[noreturn]] void work(const std::string& file, const std::string& fault, int pipe) {
  lossy::Vfs vfs("lossy_child");
  World world(file, vfs.name(), fault);
  for (int wave = 0; wave < waves; ++wave) {
    Scope scope(world.loop);
    for (int i = 0; i < units_in_wave; ++i)
      scope.spawn(commit_and_tell(*world.storage, wave * units_in_wave + i, pipe));
    world.loop.run_until(scope.close());
  }
  ::_exit(0);
}

std::set<int> answered(int pipe) {
  std::set<int> all;
  for (int n = 0; ::read(pipe, &n, sizeof n) == sizeof n;) all.insert(n);
  return all;
}

/// Which units the file holds; a part of a unit is a failure.
std::set<int> stored_units(const std::string& file, const std::string& vfs) {
  World world(file, vfs);
  std::set<int> all;
  for (int n = 0; n < units_in_all; ++n) {
    const auto id = std::to_string(n);
    const auto has = [&](const std::string& object) {
      return world.loop.run_until(world.storage->load(wallets, EntityId(object)))
          .value()
          .has_value();
    };
    const auto recalled =
        world.loop.run_until(world.storage->recall("shop.wallets.credit", identity(n))).value();
    EXPECT_EQ(has("p" + id), has("q" + id)) << "unit " << n;
    EXPECT_EQ(has("p" + id), recalled.has_value()) << "unit " << n;
    if (recalled) EXPECT_EQ(recalled->reply, id);
    if (recalled) all.insert(n);
  }
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

  const auto kept = stored_units(file, {});
  EXPECT_TRUE(std::ranges::includes(kept, told));
  if (!killed) EXPECT_EQ(kept.size(), static_cast<std::size_t>(units_in_all));
  return killed;
}

TEST(StorageCrash, KeepsEveryAnsweredUnitWholeWhereverItIsKilled) {
  for (const std::string place : {"commit.before", "commit.written", "commit.after"}) {
    int occurrence = 1;
    while (kill_at(place, occurrence)) ++occurrence;
    EXPECT_EQ(occurrence, waves + 1) << place;
  }
}

std::unique_ptr<Writer> open_writer(const std::string& file, const lossy::Vfs& vfs,
                                    Faults& faults) {
  auto writer = Writer::open(file, vfs.name(), faults);
  EXPECT_TRUE(writer) << writer.error().message;
  EXPECT_TRUE((*writer)->prepare(std::array{Collection(wallets)}, 0, {}));
  return std::move(*writer);
}

std::vector<Unit> wave_of_units(int wave) {
  std::vector<Unit> units;
  for (int i = 0; i < units_in_wave; ++i) units.push_back(unit(wave * units_in_wave + i));
  return units;
}

TEST(StorageCrash, KeepsEveryAnsweredUnitWholeWhateverOfALostCommitSurvives) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    TemporaryFolder folder;
    const auto file = folder.path() + "/toa.db";
    lossy::Vfs vfs("lossy_seeded");
    Faults faults;
    const int good_waves = static_cast<int>(seed % waves);
    {
      auto writer = open_writer(file, vfs, faults);
      for (int wave = 0; wave < good_waves; ++wave)
        ASSERT_TRUE(std::holds_alternative<std::vector<Commit>>(
            writer->apply(wave_of_units(wave), {start, start, start})));
      vfs.set_fault(lossy::Fault::error_on_sync);
      ASSERT_TRUE(std::holds_alternative<UnknownOutcome>(
          writer->apply(wave_of_units(good_waves), {start, start, start})));
      vfs.crash(seed);
      vfs.set_fault(lossy::Fault::none);
    }
    const auto kept = stored_units(file, vfs.name());
    const auto promised = static_cast<std::size_t>(good_waves * units_in_wave);
    // The transaction whose outcome was unknown is there as a whole, or not at all.
    EXPECT_TRUE(kept.size() == promised || kept.size() == promised + units_in_wave) << kept.size();
  }
}

TEST(StorageCrash, GoesOnWhenThereIsSpaceAgain) {
  TemporaryFolder folder;
  const auto file = folder.path() + "/toa.db";
  lossy::Vfs vfs("lossy_full");
  Faults faults;
  {
    auto writer = open_writer(file, vfs, faults);
    vfs.set_fault(lossy::Fault::no_space_on_write);
    const auto refused = writer->apply(wave_of_units(0), {start, start, start});
    ASSERT_TRUE(std::holds_alternative<Error>(refused));
    EXPECT_EQ(std::get<Error>(refused).kind, ErrorKind::unavailable);
    EXPECT_NE(std::get<Error>(refused).message.find("no space left"), std::string::npos);
    vfs.set_fault(lossy::Fault::none);
    for (int wave = 0; wave < waves; ++wave)
      ASSERT_TRUE(std::holds_alternative<std::vector<Commit>>(
          writer->apply(wave_of_units(wave), {start, start, start})));
    vfs.crash();
  }
  EXPECT_EQ(stored_units(file, vfs.name()).size(), static_cast<std::size_t>(units_in_all));
}

struct Ended {};

TEST(StorageCrash, AnswersNothingAfterAnUnknownOutcome) {
  TemporaryFolder folder;
  lossy::Vfs vfs("lossy_unknown");
  ManualClock clock(start);
  ManualLoop loop;
  LoopExecutor executor(loop);
  Faults faults;
  auto storage =
      SqliteStorage::open({.file = folder.path() + "/toa.db",
                           .vfs = vfs.name(),
                           .on_unknown_outcome = [](const std::string&) { throw Ended{}; }},
                          {loop, executor, executor, clock, faults});
  ASSERT_TRUE(storage);
  ASSERT_TRUE(loop.run_until((*storage)->prepare({wallets})));
  vfs.set_fault(lossy::Fault::error_on_sync);
  EXPECT_THROW(loop.run_until((*storage)->commit(unit(1))), Ended);
}

}  // namespace
}  // namespace toa::storage::sqlite
