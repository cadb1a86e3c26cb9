#include "bridge/node/pool.hpp"

#include <fmt/format.h>

namespace toa::bridge::node {

Pool::Pool(WorkerSetting& setting, Losses& losses)
    : setting_(setting), losses_(losses), work_(setting.loop), first_load_(setting.loop) {}

Task<std::expected<WorkerLoaded, Ending>> Pool::load() {
  loads_missing_ = setting_.options.workers;
  workers_.resize(setting_.options.workers);
  for (std::size_t slot = 0; slot < workers_.size(); ++slot) {
    stops_.push_back(std::make_unique<Alarm>(setting_.loop));
  }
  for (std::size_t slot = 0; slot < workers_.size(); ++slot) work_.spawn(keep(slot));
  auto loaded = co_await first_load_;
  loading_ = false;
  co_return loaded;
}

Task<void> Pool::keep(std::size_t slot) {
  auto& stop = *stops_[slot];
  Respawn respawn;
  while (!stop.rung()) {
    Worker worker(setting_, *this);
    workers_[slot] = &worker;
    const auto born = setting_.clock.steady();
    const auto ending = co_await worker.live();
    workers_[slot] = nullptr;
    losses_.lost(worker.take_runs(), ending);
    if (loading_) co_return first_load_failed(ending);
    if (stop.rung()) co_return;
    respawn.ended(setting_.clock.steady() - born);
    replaced(ending, respawn.pause());
    co_await stop.wait(respawn.pause());
  }
}

void Pool::replaced(const Ending& ending, std::chrono::milliseconds pause) {
  setting_.log.write({.component = std::nullopt,
                      .severity = Severity::error,
                      .message = fmt::format("A worker ended and is replaced: {}", ending.what),
                      .attributes = {{"pause_ms", pause.count()}}});
}

void Pool::first_load_failed(const Ending& ending) {
  first_load_.complete(std::unexpected(ending));
}

void Pool::loaded(Worker& worker, const WorkerLoaded& loaded) {
  if (!loading_) return;
  if (&worker == workers_.front()) found_ = loaded;
  if (--loads_missing_ == 0) first_load_.complete(std::move(*found_));
}

Task<std::optional<std::string>> Pool::advance() {
  std::vector<Worker*> workers;
  std::ranges::copy_if(workers_, std::back_inserter(workers),
                       [](auto* worker) { return worker != nullptr && worker->loaded(); });
  auto left = workers.size();
  if (left == 0) co_return std::nullopt;
  std::optional<std::string> failed;
  Completion<bool> all(setting_.loop);
  for (auto* worker : workers) {
    worker->advance([&](auto failure) {
      if (!failed) failed = std::move(failure);
      if (--left == 0) all.complete(true);
    });
  }
  co_await all;
  co_return failed;
}

void Pool::submit(ActiveRun& run) {
  auto& waiting = run.run.caller != nullptr ? waiting_beneath_ : waiting_;
  waiting.push_back(&run);
  dispatch();
}

std::vector<ActiveRun*> Pool::take_waiting() {
  std::vector<ActiveRun*> out(waiting_beneath_.begin(), waiting_beneath_.end());
  out.insert(out.end(), waiting_.begin(), waiting_.end());
  waiting_beneath_.clear();
  waiting_.clear();
  return out;
}

void Pool::dispatch() {
  dispatch(waiting_beneath_, false);
  dispatch(waiting_, true);
}

void Pool::dispatch(std::deque<ActiveRun*>& waiting, bool bounded) {
  while (!waiting.empty()) {
    auto* worker = least_loaded(bounded);
    if (worker == nullptr) return;
    auto* run = waiting.front();
    waiting.pop_front();
    worker->start(*run);
  }
}

Worker* Pool::least_loaded(bool bounded) {
  Worker* least = nullptr;
  for (auto* worker : workers_) {
    const bool takes =
        worker != nullptr && (bounded ? worker->takes_runs() : worker->takes_runs_beneath());
    if (!takes) continue;
    const bool full = worker->runs() >= limits::runs_per_worker_max ||
                      worker->unwritten_bytes() >= limits::bridge_frame_bytes_max;
    if (bounded && full) continue;
    if (least == nullptr || worker->runs() < least->runs()) least = worker;
  }
  return least;
}

void Pool::stop() {
  for (auto& stop : stops_) stop->ring();
  for (auto* worker : workers_) {
    if (worker != nullptr) worker->stop();
  }
}

}  // namespace toa::bridge::node
