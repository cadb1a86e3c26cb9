#include "queries.hpp"

#include <filesystem>
#include <fmt/format.h>

#include "async/asio_loop.hpp"
#include "async/scope.hpp"
#include "async/worker_thread.hpp"
#include "base/fault.hpp"
#include "base/random.hpp"
#include "expect.hpp"
#include "storage/sqlite/sqlite_storage.hpp"

namespace toa::bench {
namespace {

using storage::sqlite::SqliteStorage;
using Steady = std::chrono::steady_clock;

const ComponentId books{"bench.books"};
constexpr std::size_t unit_writes = 10'000;
/// A thousandth of all objects is on each.
constexpr std::size_t shelves = 1'000;

/// As ids are: growing with time, then random.
std::string id_of(std::size_t number) {
  const auto mixed = SeededRandom(number).next();
  return fmt::format("{:016x}{:016x}", number, mixed);
}

Object object_of(std::size_t number) {
  const auto mixed = SeededRandom(number).next();
  return {.id = EntityId(id_of(number)),
          .version = Version(1),
          .created = 1'700'000'000'000,
          .updated = 1'700'000'000'000,
          .deleted = std::nullopt,
          .region = 0,
          .properties = fmt::format(R"({{"title":"Book {}","shelf":{},"pages":{},"lent":false}})",
                                    number, mixed % shelves, mixed / shelves % 900)};
}

/// Sorted at once, an index is made in a fraction of the time that it takes to grow.
std::vector<Migration> without_indexes(std::vector<Migration> migrations) {
  Migration next{.id = std::to_string(migrations.size()), .steps = {}};
  next.steps.emplace_back(DropIndex{"shelf"});
  next.steps.emplace_back(DropIndex{"pages"});
  migrations.push_back(std::move(next));
  return migrations;
}

std::vector<Migration> with_indexes(std::vector<Migration> migrations) {
  Migration next{.id = std::to_string(migrations.size()), .steps = {}};
  next.steps.emplace_back(Index{.name = "shelf", .keys = {{"shelf"}, {"pages"}}});
  next.steps.emplace_back(Index{.name = "pages", .keys = {{"pages"}}});
  migrations.push_back(std::move(next));
  return migrations;
}

Criteria compared(std::string name, Comparison comparison, std::size_t value) {
  return {Condition{.selector = name,
                    .comparison = comparison,
                    .operands = {{Json(static_cast<std::int64_t>(value))}},
                    .path = {{name}}}};
}

class Library {
 public:
  Library(storage::Storage& storage, std::chrono::milliseconds duration)
      : storage_(storage), duration_(duration) {}

  Task<void> close() { return storage_.close(); }

  Task<Queried> grow(std::size_t size) {
    const auto before = Steady::now();
    const auto added = size - size_;
    co_await migrate(without_indexes(migrations_));
    while (size_ < size) co_await add(std::min(unit_writes, size - size_));
    co_await migrate(with_indexes(migrations_));
    Queried queried;
    queried.objects = size;
    queried.filled_per_s = static_cast<double>(added) / seconds(Steady::now() - before);
    co_await measure(queried.loads, [this] { return load(); });
    co_await measure(queried.equals, [this] { return find({.criteria = shelf(), .limit = 10}); });
    co_await measure(queried.pages, [this] {
      return find({.criteria = shelf(), .sort = {{"pages"}}, .limit = 10});
    });
    co_await measure(queried.ranges, [this] {
      const auto from = compared("pages", Comparison::at_least, 600 + random_.below(100));
      return find({.criteria = from, .sort = {{"pages"}}, .limit = 10});
    });
    co_return queried;
  }

 private:
  Task<void> migrate(std::vector<Migration> migrations) {
    migrations_ = std::move(migrations);
    const auto prepared = co_await storage_.prepare({storage::Collection(books, migrations_)});
    expect(prepared.has_value(), "the storage was not prepared");
  }

  Task<void> add(std::size_t count) {
    storage::Unit unit;
    for (std::size_t i = 0; i < count; ++i)
      unit.writes.push_back({books, Version(0), object_of(size_++)});
    const auto stored = co_await storage_.commit(std::move(unit));
    expect(stored && std::holds_alternative<storage::Stored>(*stored), "objects were not stored");
  }

  template <class Once>
  Task<void> measure(Spread& spread, Once once) {
    for (const auto end = Steady::now() + duration_; Steady::now() < end;) {
      const auto before = Steady::now();
      co_await once();
      spread.add(Steady::now() - before);
    }
  }

  Task<void> load() {
    const auto loaded = co_await storage_.load(books, EntityId(id_of(random_.below(size_))));
    expect(loaded && *loaded, "an object was not found");
  }

  Task<void> find(Selection selection) {
    const auto found = co_await storage_.find(books, std::move(selection));
    // With a thousand objects a shelf has one, or none.
    expect(found && (size_ < 100 * shelves || found->size() == 10), "objects were not found");
  }

  Criteria shelf() { return compared("shelf", Comparison::equal, random_.below(shelves)); }

  storage::Storage& storage_;
  std::chrono::milliseconds duration_;
  std::size_t size_ = 0;
  std::vector<Migration> migrations_;
  SeededRandom random_{1};
};

Task<void> grow_and_measure(AsioLoop& loop, Library library, const std::vector<std::size_t>& sizes,
                            std::vector<Queried>& queried) {
  for (const auto size : sizes) queried.push_back(co_await library.grow(size));
  co_await library.close();
  loop.stop();
}

}  // namespace

std::vector<Queried> measure_queries(const std::string& folder,
                                     const std::vector<std::size_t>& sizes,
                                     std::chrono::milliseconds duration) {
  const auto file = folder + "/queries.db";
  AsioLoop loop;
  WorkerThread writer("toa-writer");
  WorkerThread reader("toa-reader");
  WorkerThread scans("toa-scans");
  const SystemClock clock;
  Faults faults;
  auto storage = SqliteStorage::open({.file = file}, {loop, writer, reader, clock, faults, &scans});
  expect(storage.has_value(), "the storage cannot be opened");
  std::vector<Queried> queried;
  Scope scope(loop);
  scope.spawn(grow_and_measure(loop, Library(**storage, duration), sizes, queried));
  loop.run();
  std::filesystem::remove(file);
  return queried;
}

}  // namespace toa::bench
