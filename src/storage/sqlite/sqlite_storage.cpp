#include "storage/sqlite/sqlite_storage.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.hpp"
#include "storage/sqlite/trouble.hpp"

namespace toa::storage::sqlite {

namespace {

/// Runs `work` on another thread and resumes on the loop.
template <class Work>
auto run_on(Executor& executor, Loop& loop, Work work) -> Task<std::invoke_result_t<Work&>> {
  Completion<std::invoke_result_t<Work&>> done(loop);
  executor.post([&] {
    auto value = work();
    loop.post([&done, value = std::move(value)]() mutable { done.complete(std::move(value)); });
  });
  co_return co_await done;
}

/// SQLite makes its other files with the rights of this one.
Result<void> make_private(const std::string& file) {
  const int made = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (made < 0) return std::unexpected(system_trouble(file, errno));
  const bool refused = ::fchmod(made, 0600) != 0;
  const int system = errno;
  ::close(made);
  if (refused) return std::unexpected(system_trouble(file, system));
  return {};
}

}  // namespace

void end_process(const std::string& message) {
  std::fprintf(stderr,
               "toa: %s It cannot be told whether the last changes are on the disk; the process "
               "ends, and finds out when it starts again.\n",
               message.c_str());
  ::_exit(74);
}

Result<std::unique_ptr<SqliteStorage>> SqliteStorage::open(Options options,
                                                           Surroundings surroundings) {
  if (auto made = make_private(options.file); !made) return std::unexpected(made.error());
  auto writer =
      Writer::open(options.file, options.vfs, surroundings.faults, options.keeping, options.inbox);
  if (!writer) return std::unexpected(writer.error());
  auto reader = Reader::open(options.file, options.vfs);
  if (!reader) return std::unexpected(reader.error());
  auto scanner = Reader::open(options.file, options.vfs);
  if (!scanner) return std::unexpected(scanner.error());
  return std::unique_ptr<SqliteStorage>(
      new SqliteStorage({std::move(*writer), std::move(*reader), std::move(*scanner)}, surroundings,
                        std::move(options)));
}

SqliteStorage::SqliteStorage(Engines engines, Surroundings surroundings, Options options)
    : loop_(surroundings.loop),
      writer_executor_(surroundings.writer),
      reader_executor_(surroundings.reader),
      scan_executor_(surroundings.scans ? *surroundings.scans : surroundings.reader),
      time_(surroundings.clock, {.reached = engines.writer->time_kept(),
                                 .ahead = engines.writer->ahead_kept(),
                                 .window = std::chrono::milliseconds(options.keeping.window),
                                 .on_jump = std::move(options.on_clock_jump)}),
      writer_(std::move(engines.writer)),
      reader_(std::move(engines.reader)),
      scanner_(std::move(engines.scanner)),
      unmanaged_(options.file, options.vfs, surroundings.clock),
      cache_(limits::object_cache_bytes_max),
      heads_(loop_, cache_),
      commits_(loop_, writer_executor_, *writer_, time_, options.accepts_early ? &heads_ : nullptr,
               {.on_stored = [this](std::vector<Write> writes) { stored(std::move(writes)); },
                .on_lost = [this](const Write& write) { lost(write); },
                .on_landed = [this] { landed(); },
                .on_unknown_outcome = options.on_unknown_outcome}),
      reads_(loop_, reader_executor_, *reader_, time_),
      scans_(loop_, scan_executor_, *scanner_, time_),
      on_unknown_outcome_(std::move(options.on_unknown_outcome)),
      clock_(surroundings.clock),
      dropper_({.loop = loop_,
                .writer_executor = writer_executor_,
                .scan_executor = scan_executor_,
                .writer = *writer_,
                .scanner = *scanner_,
                .time = time_,
                .carries_pinned = options.inbox.rules.pinned_are_carried,
                .on_unknown_outcome = on_unknown_outcome_}),
      on_many_calls_(std::move(options.on_many_calls)),
      removes_expired_(options.removes_expired) {}

Task<Result<void>> SqliteStorage::prepare(std::vector<Collection> collections) {
  const auto now = clock_.now();
  const auto time = Writer::Time::of(time_);
  using KeptApart = Result<std::unordered_set<std::string>>;
  auto kept_apart = co_await run_on(writer_executor_, loop_, [&]() -> KeptApart {
    if (auto prepared = writer_->prepare(collections, now, time); !prepared)
      return std::unexpected(std::move(prepared.error()));
    return writer_->components_kept_apart();
  });
  if (!kept_apart) co_return std::unexpected(std::move(kept_apart.error()));
  heads_.leave_out(std::move(*kept_apart));
  if (removes_expired_ && writer_->expires() && !expiring_ && !expiry_timer_) expire();
  co_return Result<void>();
}

Task<Result<std::optional<FirstReply>>> SqliteStorage::recall(std::string endpoint,
                                                              Identity identity) {
  auto candidates = writer_->directory()->candidates(endpoint, identity);
  if (candidates.none()) co_return std::nullopt;
  co_return co_await reads_.recall(std::move(endpoint), identity, std::move(candidates));
}

Task<Result<std::vector<RememberedCall>>> SqliteStorage::remembered(Identity identity) {
  auto endpoints = co_await reads_.run([](Reader& reader) {
    return reader.inbox([](InboxReader& inbox) { return inbox.endpoints(); });
  });
  if (!endpoints) co_return std::unexpected(std::move(endpoints.error()));
  std::vector<RememberedCall> calls;
  for (const auto& endpoint : *endpoints) {
    const auto candidates = writer_->directory()->candidates(endpoint, identity);
    if (candidates.none()) continue;
    auto call = co_await reads_.run([&, now = time_.now()](Reader& reader) {
      return reader.inbox([&](InboxReader& inbox) {
        return inbox.remembered(endpoint, identity, candidates, now);
      });
    });
    if (!call) co_return std::unexpected(std::move(call.error()));
    if (*call) calls.push_back(std::move(**call));
  }
  co_return calls;
}

Task<Result<std::optional<Object>>> SqliteStorage::load(ComponentId component, EntityId id) {
  const ObjectKeyView key{component.value, id.value};
  for (;;) {
    if (const auto* held = cache_.find(key)) co_return *held;
    ++reading_[key.own()].readers;
    auto read = co_await reads_.load(component, id);
    const auto passed = end_reading(key);
    if (!read) co_return read;
    const auto version = *read ? (*read)->version : Version(0);
    // A commit passed the read, and its state may have left the cache since.
    if (version < passed.stored) continue;
    // What a removal passed is not held: nothing would take it away again.
    if (*read && !passed.removed) cache_.put(component, **read);
    co_return read;
  }
}

Task<Result<Head>> SqliteStorage::head(ComponentId component, EntityId id) {
  const ObjectKeyView key{component.value, id.value};
  if (const auto* head = heads_.find(key)) co_return *head;
  auto loaded = co_await load(component, id);
  if (!loaded) co_return std::unexpected(std::move(loaded.error()));
  if (const auto* head = heads_.find(key)) co_return *head;
  co_return Head{std::move(*loaded)};
}

Task<Result<std::vector<Object>>> SqliteStorage::find(ComponentId component, Selection selection) {
  return scans_.run([this, component = std::move(component), selection = std::move(selection)](
                        Reader& reader) { return reader.find(component, selection, clock_); });
}

Task<Result<std::string>> SqliteStorage::query(ComponentId component, std::string text,
                                               JsonArray values) {
  return scans_.run(
      [this, component = std::move(component), text = std::move(text),
       values = std::move(values)](Reader&) { return unmanaged_.query(component, text, values); });
}

SqliteStorage::Reading SqliteStorage::end_reading(const ObjectKeyView& key) {
  const auto found = reading_.find(key);
  const auto passed = found->second;
  if (--found->second.readers == 0) reading_.erase(found);
  return passed;
}

void SqliteStorage::expire_later() {
  expiry_timer_ = loop_.after(limits::expiry_interval, [this] {
    expiry_timer_.reset();
    expire();
  });
}

void SqliteStorage::expire() {
  expiring_ = true;
  // By the wall clock: one that was set forward and back must not have removed anything.
  writer_executor_.post([this, now = clock_.now()] {
    auto outcome = writer_->expire(now);
    if (const auto* unknown = std::get_if<UnknownOutcome>(&outcome)) {
      on_unknown_outcome_(unknown->message);
      return;
    }
    loop_.post([this, outcome = std::move(outcome)]() mutable { expired(std::move(outcome)); });
    writer_->checkpoint_if_due();
  });
}

void SqliteStorage::expired(std::variant<Writer::Removed, Error, UnknownOutcome> outcome) {
  expiring_ = false;
  const auto* removed = std::get_if<Writer::Removed>(&outcome);
  if (removed) {
    for (const auto& [component, id] : removed->objects) {
      const ObjectKeyView key{component.value, id.value};
      if (const auto found = reading_.find(key); found != reading_.end())
        found->second = {.readers = found->second.readers, .stored = {}, .removed = true};
      cache_.drop(key);
    }
  }
  if (closing_) {
    if (expiry_ended_) expiry_ended_->complete(true);
  } else if (removed && !removed->done) {
    expire();
  } else {
    // A failure shows in the commits as well; the next time it is tried again.
    expire_later();
  }
}

void SqliteStorage::stored(std::vector<Write> writes) {
  for (auto& write : writes) {
    const ObjectKeyView key{write.component.value, write.next.id.value};
    if (const auto found = reading_.find(key); found != reading_.end())
      found->second.stored = write.next.version;
    cache_.put(write.component, std::move(write.next));
  }
}

// Mostly it lost to a commit of this process, whose state is held since. But a hand may have
// written to the file: what is held then would lose for ever.
void SqliteStorage::lost(const Write& write) {
  const ObjectKeyView key{write.component.value, write.next.id.value};
  const auto* held = cache_.find(key);
  if (held != nullptr && held->version == write.base) cache_.drop(key);
}

Task<Result<Commit>> SqliteStorage::commit(Unit unit) {
  return commits_.commit(std::move(unit));
}

void SqliteStorage::landed() {
  dropper_.tend();
  const auto calls = writer_->directory()->calls();
  if (calls < tells_calls_at_) return;
  while (tells_calls_at_ <= calls) tells_calls_at_ *= 2;
  if (on_many_calls_) on_many_calls_(calls);
}

Task<void> SqliteStorage::close() {
  closing_ = true;
  co_await dropper_.close();
  if (expiry_timer_) loop_.cancel(*expiry_timer_);
  if (expiring_) {
    Completion<bool> ended(loop_);
    expiry_ended_ = &ended;
    co_await ended;
  }
  co_await commits_.drain();
  co_await reads_.drain();
  co_await scans_.drain();
  // The readers first: the last connection copies the log back and removes it.
  co_await run_on(scan_executor_, loop_,
                  [this] { return scanner_.reset(), unmanaged_.close(), true; });
  co_await run_on(reader_executor_, loop_, [this] { return reader_.reset(), true; });
  co_await run_on(writer_executor_, loop_, [this] { return writer_.reset(), true; });
}

Task<Result<std::vector<Record>>> SqliteStorage::records(std::optional<Identity> after,
                                                         std::size_t limit) {
  co_return co_await reads_.queue([&](QueueReader& queue) { return queue.records(after, limit); });
}

Task<Result<std::vector<Message>>> SqliteStorage::due(ComponentId component, Place after,
                                                      EpochMs now, std::size_t limit) {
  co_return co_await reads_.queue(
      [&](QueueReader& queue) { return queue.due(component, after, now, limit); });
}

Task<Result<std::optional<EpochMs>>> SqliteStorage::next_due(ComponentId component, EpochMs now) {
  co_return co_await reads_.queue(
      [&](QueueReader& queue) { return queue.next_due(component, now); });
}

Task<Result<MessageNumber>> SqliteStorage::last_number() {
  co_return co_await reads_.queue([](QueueReader& queue) { return queue.last_number(); });
}

Task<Result<std::size_t>> SqliteStorage::waiting() {
  co_return co_await reads_.queue([](QueueReader& queue) { return queue.waiting(); });
}

Task<Result<Backlog>> SqliteStorage::backlog() {
  co_return co_await reads_.queue([](QueueReader& queue) { return queue.backlog(); });
}

Task<Result<std::vector<ParkedMessage>>> SqliteStorage::parked(ParkedFilter filter,
                                                               MessageNumber after,
                                                               std::size_t limit) {
  co_return co_await reads_.queue(
      [&](QueueReader& queue) { return queue.parked(filter, after, limit); });
}

}  // namespace toa::storage::sqlite
