#include "queries.hpp"

#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

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
/// As many as the smallest file has, so that all sizes are asked alike.
constexpr std::size_t loads_in_a_row = 1'000;
constexpr int cold_loads = 40;

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
          .properties = fmt::format(R"({{"title":"Book {}","shelf":{},"pages":{},"lent":{}}})",
                                    number, mixed % shelves, mixed / shelves % 900, mixed >> 63)};
}

/// Sorted at once, an index is made in a fraction of the time that it takes to grow.
std::vector<Migration> without_indexes(std::vector<Migration> migrations) {
  Migration next{.id = std::to_string(migrations.size()), .steps = {}};
  next.steps.emplace_back(DropIndex{"shelf"});
  next.steps.emplace_back(DropIndex{"pages"});
  next.steps.emplace_back(DropIndex{"lent"});
  migrations.push_back(std::move(next));
  return migrations;
}

std::vector<Migration> with_indexes(std::vector<Migration> migrations) {
  Migration next{.id = std::to_string(migrations.size()), .steps = {}};
  next.steps.emplace_back(Index{.name = "shelf", .keys = {{"shelf"}, {"pages"}}});
  next.steps.emplace_back(Index{.name = "pages", .keys = {{"pages"}}});
  next.steps.emplace_back(Index{.name = "lent", .keys = {{"lent"}}});
  migrations.push_back(std::move(next));
  return migrations;
}

Criteria compared(std::string name, Comparison comparison, std::size_t value) {
  return {Condition{.selector = name,
                    .comparison = comparison,
                    .operands = {{Json(static_cast<std::int64_t>(value))}},
                    .path = {{name}}}};
}

/// A file, as the program opens it.
struct Site {
  std::string file;
  AsioLoop loop{};
  WorkerThread writer{"toa-writer"};
  WorkerThread reader{"toa-reader"};
  WorkerThread scans{"toa-scans"};
  SystemClock clock{};
  Faults faults{};

  std::unique_ptr<SqliteStorage> open() {
    auto opened =
        SqliteStorage::open({.file = file}, {loop, writer, reader, clock, faults, &scans});
    expect(opened.has_value(), "the storage cannot be opened");
    return std::move(*opened);
  }

  /// Takes the file out of the system's memory; the log is gone where it was closed in order.
  void forget() const {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    expect(descriptor >= 0 && ::fdatasync(descriptor) == 0 &&
               ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0,
           "the file cannot be taken out of memory");
    ::close(descriptor);
  }
};

class Library {
 public:
  Library(Site& site, std::chrono::milliseconds duration)
      : site_(site), duration_(duration), storage_(site.open()) {}

  Task<void> close() {
    co_await storage_->close();
    storage_.reset();
  }

  Task<Queried> grow(std::size_t size) {
    const auto before = Steady::now();
    const auto added = size - size_;
    co_await migrate(without_indexes(migrations_));
    while (size_ < size) co_await add(std::min(unit_writes, size - size_));
    co_await migrate(with_indexes(migrations_));
    Queried queried;
    queried.objects = size;
    queried.filled_per_s = static_cast<double>(added) / seconds(Steady::now() - before);
    co_await measure_loads(queried);
    co_await measure(queried.equals, [this] { return find({.criteria = shelf(), .limit = 10}); });
    co_await measure(queried.pages, [this] {
      return find({.criteria = shelf(), .sort = {{"pages"}}, .limit = 10});
    });
    co_await measure(queried.ranges, [this] {
      const auto from = compared("pages", Comparison::at_least, 600 + random_.below(100));
      return find({.criteria = from, .sort = {{"pages"}}, .limit = 10});
    });
    co_await measure(queried.crossed, [this] {
      return find({.criteria = Criteria{Criteria::All{{lent(), shelf()}}}, .limit = 10});
    });
    co_return queried;
  }

 private:
  /// The same at each size: objects that none read since the file was opened, with the file in the
  /// system's memory and without; and such as were read before.
  Task<void> measure_loads(Queried& queried) {
    for (const auto end = Steady::now() + duration_; Steady::now() < end;) {
      co_await reopen();
      co_await load_each(queried.loads, spread_out());
    }
    const auto known = spread_out();
    Spread ignored;
    co_await load_each(ignored, known);
    for (const auto end = Steady::now() + duration_; Steady::now() < end;)
      co_await load_each(queried.held, known);
    for (int i = 0; i < cold_loads; ++i) {
      co_await close();
      site_.forget();
      storage_ = site_.open();
      co_await load_each(queried.cold, {random_.below(size_)});
    }
    co_await reopen();
  }

  Task<void> reopen() {
    co_await close();
    storage_ = site_.open();
    co_await prepare();
  }

  /// Different ones, from all over the file, in no order.
  std::vector<std::size_t> spread_out() {
    const auto step = size_ / loads_in_a_row;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < loads_in_a_row; ++i)
      numbers.push_back(i * step + random_.below(step));
    for (std::size_t i = numbers.size(); i > 1; --i)
      std::swap(numbers[i - 1], numbers[random_.below(i)]);
    return numbers;
  }

  Task<void> load_each(Spread& spread, std::vector<std::size_t> numbers) {
    for (const auto number : numbers) {
      const EntityId id(id_of(number));
      const auto before = Steady::now();
      const auto loaded = co_await storage_->load(books, id);
      spread.add(Steady::now() - before);
      expect(loaded && *loaded, "an object was not found");
    }
  }

  Task<void> migrate(std::vector<Migration> migrations) {
    migrations_ = std::move(migrations);
    co_await prepare();
  }

  Task<void> prepare() {
    const auto prepared = co_await storage_->prepare({storage::Collection(books, migrations_)});
    expect(prepared.has_value(), "the storage was not prepared");
  }

  Task<void> add(std::size_t count) {
    storage::Unit unit;
    for (std::size_t i = 0; i < count; ++i)
      unit.writes.push_back({books, Version(0), object_of(size_++)});
    const auto stored = co_await storage_->commit(std::move(unit));
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

  Task<void> find(Selection selection) {
    const auto found = co_await storage_->find(books, std::move(selection));
    // With a thousand objects a shelf has one, or none.
    expect(found && (size_ < 100 * shelves || found->size() == 10), "objects were not found");
  }

  Criteria shelf() { return compared("shelf", Comparison::equal, random_.below(shelves)); }

  /// Half of all objects are like that.
  static Criteria lent() { return compared("lent", Comparison::equal, 1); }

  Site& site_;
  std::chrono::milliseconds duration_;
  std::unique_ptr<SqliteStorage> storage_;
  std::size_t size_ = 0;
  std::vector<Migration> migrations_;
  SeededRandom random_{1};
};

Task<void> grow_and_measure(Site& site, std::chrono::milliseconds duration,
                            const std::vector<std::size_t>& sizes, std::vector<Queried>& queried) {
  Library library(site, duration);
  for (const auto size : sizes) queried.push_back(co_await library.grow(size));
  co_await library.close();
  site.loop.stop();
}

}  // namespace

std::vector<Queried> measure_queries(const std::string& folder,
                                     const std::vector<std::size_t>& sizes,
                                     std::chrono::milliseconds duration) {
  Site site{.file = folder + "/queries.db"};
  std::vector<Queried> queried;
  Scope scope(site.loop);
  scope.spawn(grow_and_measure(site, duration, sizes, queried));
  site.loop.run();
  std::filesystem::remove(site.file);
  return queried;
}

}  // namespace toa::bench
