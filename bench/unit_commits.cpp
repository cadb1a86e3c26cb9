#include <cstring>

#include "async/asio_loop.hpp"
#include "async/scope.hpp"
#include "async/worker_thread.hpp"
#include "base/fault.hpp"
#include "base/random.hpp"
#include "commits.hpp"
#include "expect.hpp"
#include "storage/sqlite/sqlite_storage.hpp"

namespace toa::bench {
namespace {

using storage::sqlite::SqliteStorage;
using Steady = std::chrono::steady_clock;

const ComponentId counters{"bench.counters"};
constexpr std::size_t objects = 1'000;

Identity random_identity(Random& random) {
  const std::array<std::uint64_t, 2> words{random.next(), random.next()};
  Identity::Bytes bytes;
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return Identity(bytes);
}

storage::Unit next_unit(const std::string& id, Version base, EpochMs now, Random& random) {
  storage::Unit unit;
  unit.writes.push_back({counters, base,
                         Object{.id = EntityId(id),
                                .version = Version(base.value + 1),
                                .created = now,
                                .updated = now,
                                .deleted = std::nullopt,
                                .region = 0,
                                .properties = R"({"total":123456})"}});
  unit.remembered = storage::Remembered{
      "bench.counters.add", random_identity(random), std::chrono::hours(1),
      R"({"id":"00000000000000000000000000000001","total":123456,"VERSION":1,"CREATED":1700000000000,"UPDATED":1700000000000,"DELETED":null,"REGION":0})"};
  return unit;
}

/// Everything that the waiting coroutines share.
struct Site {
  storage::Storage& storage;
  const Clock& clock;
  Random& random;
  Steady::time_point end;
  Committed& committed;
};

/// One that commits unit after unit over objects of its own: `place`, `place + group`, …
Task<void> keep_committing(Site& site, std::size_t place, std::size_t group) {
  std::vector<Version> versions(objects / group + 1);
  for (std::size_t i = 0; Steady::now() < site.end; i = (i + 1) % versions.size()) {
    const auto id = std::to_string(place + i * group);
    const auto before = Steady::now();
    const auto stored =
        co_await site.storage.commit(next_unit(id, versions[i], site.clock.now(), site.random));
    expect(stored && std::holds_alternative<storage::Stored>(*stored), "a unit was not stored");
    site.committed.waits.add(Steady::now() - before);
    ++site.committed.operations;
    versions[i] = Version(versions[i].value + 1);
  }
}

Task<void> measure(AsioLoop& loop, Site site, std::size_t group,
                   std::chrono::milliseconds duration) {
  expect((co_await site.storage.prepare({counters})).has_value(), "the storage was not prepared");
  const auto start = Steady::now();
  site.end = start + duration;
  Scope committers(loop);
  for (std::size_t i = 0; i < group; ++i) committers.spawn(keep_committing(site, i, group));
  co_await committers.close();
  site.committed.seconds = seconds(Steady::now() - start);
  co_await site.storage.close();
  loop.stop();
}

}  // namespace

Committed commit_units(const std::string& folder, std::size_t group,
                       std::chrono::milliseconds duration) {
  AsioLoop loop;
  WorkerThread writer("toa-writer");
  WorkerThread reader("toa-reader");
  const SystemClock clock;
  SystemRandom random;
  Faults faults;
  auto storage = SqliteStorage::open({.file = folder + "/units-" + std::to_string(group) + ".db"},
                                     {loop, writer, reader, clock, faults});
  expect(storage.has_value(), "the storage cannot be opened");
  Committed committed;
  Scope scope(loop);
  scope.spawn(measure(loop, {**storage, clock, random, {}, committed}, group, duration));
  loop.run();
  return committed;
}

}  // namespace toa::bench
