#include "simulation/life.hpp"

#include "simulation/shop.hpp"

/// Asked by the leak checker, where there is one: lives that crashed are left in memory on purpose.
extern "C" const char* __lsan_default_options() {
  return "detect_leaks=0";
}

namespace toa::simulation {

void SimLog::write(telemetry::Severity severity, std::string_view message,
                   const JsonObject& attributes) {
  std::string text = std::string(telemetry::name(severity)) + ": " + std::string(message);
  for (const auto* key : {"component", "event", "endpoint", "record", "id", "attempt", "reason"})
    if (const auto* value = attributes.if_contains(key))
      text += std::string(" ") + key + "=" + json::print(*value);
  trace_.line(text);
}

namespace {

storage::sqlite::InboxOptions inbox_of(const Surroundings& around) {
  auto options = around.chaos.plan().inbox;
  options.rules = {.asked_in_the_commit = around.mutant != Mutant::identity_unasked,
                   .set_until_indexed = around.mutant != Mutant::set_dropped_early,
                   .pinned_are_carried = around.mutant != Mutant::pin_lost};
  return options;
}

}  // namespace

Life::Life(const Surroundings& around, Events events)
    : around_(around),
      events_(std::move(events)),
      scope_(around.loop),
      faults_(events_.reached),
      writer_(around.loop, around.random, around.chaos.plan().pace),
      reader_(around.loop, around.random, around.chaos.plan().pace),
      log_(around.trace),
      bridge_(around.loop),
      junction_(bridge_) {
  add_code(bridge_, around_.loop, around_.chaos);
  bridge_.lose_when([&chaos = around_.chaos](const bridge::Run&) {
    return chaos.happens(chaos.plan().worker_lost);
  });
}

std::optional<std::string> Life::open(const std::unique_ptr<Life>& life) {
  auto& it = *life;
  auto& around = it.around_;
  auto opened = storage::sqlite::SqliteStorage::open(
      {.file = around.file,
       .vfs = around.disk.name(),
       .on_unknown_outcome = it.events_.outcome_unknown,
       .accepts_early = around.chaos.plan().accepts_early,
       .inbox = inbox_of(around)},
      {around.loop, it.writer_, it.reader_, around.time, it.faults_});
  if (!opened) return opened.error().message;
  it.sqlite_ = std::move(*opened);
  it.mutant_ = std::make_unique<MutantStorage>(
      around.mutant, *it.sqlite_, *it.sqlite_, around.loop, it.clock(),
      [&it](Record record) { it.delivery_->stored(std::move(record)); });
  it.storage_ = std::make_unique<SimStorage>(
      *it.mutant_, *it.mutant_, around.loop, around.chaos, around.trace,
      SimStorage::Told{.lied = it.events_.lied,
                       .duplicated = [&it](const ComponentId& to) { it.delivery_->returned(to); }});
  it.router_.emplace(operation::World{
      .application = around.application,
      .storage = *it.storage_,
      .nowhere = it.nowhere_,
      .bridge = it.bridge_,
      .outgoing = it.junction_,
      .loop = around.loop,
      .clock = around.time,
      .random = around.random,
      .repeat_wait = around.mutant == Mutant::waiter_unbounded ? std::chrono::hours(1'000)
                                                               : limits::repeat_wait_max,
      .identity_beneath =
          around.mutant == Mutant::identity_unserved ? identity_unserved : call_identity});
  it.delivery_.emplace(delivery::World{.application = around.application,
                                       .code = it.junction_,
                                       .storage = *it.storage_,
                                       .queue = *it.storage_,
                                       .loop = around.loop,
                                       .clock = it.clock(),
                                       .faults = it.faults_,
                                       .log = it.log_,
                                       .ladder = around.chaos.plan().ladder});
  it.junction_.join(*it.router_, *it.delivery_);
  return std::nullopt;
}

void Life::crash(std::unique_ptr<Life> life) {
  life->around_.loop.clear();
  life->sqlite_.reset();
  // Destroying the rest would run code of a process that is dead.
  [[maybe_unused]] const auto* left = life.release();
}

Task<Result<void>> Life::start() {
  std::vector<storage::Collection> kept;
  for (const auto& [id, component] : around_.application.components) kept.emplace_back(id);
  auto ready = co_await storage_->prepare(std::move(kept));
  if (!ready) co_return ready;
  co_return co_await delivery_->start();
}

Task<void> Life::close() {
  co_await delivery_->close();
  co_await bridge_.close();
  co_await storage_->close();
}

}  // namespace toa::simulation
