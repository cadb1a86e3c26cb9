#include "bridge/node/pool.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>

#include "async/next_turn.hpp"

namespace toa::bridge::node {
namespace {

/// Each next to those of its key, where the first of them was, in their order.
void group_by_key(std::vector<ActiveRun*>& runs) {
  std::unordered_map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& key = runs[i]->run.key;
    runs[i]->place = {key ? first.try_emplace(*key, i).first->second : i, i};
  }
  if (!first.empty()) std::ranges::sort(runs, {}, &ActiveRun::place);
}

}  // namespace

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
    if (setting_.cannot_start() && hands(Bound::none).empty())
      losses_.stranded(take_waiting(), ending);
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
  dispatch_soon();
}

std::vector<ActiveRun*> Pool::take_waiting() {
  auto out = std::exchange(waiting_beneath_, {});
  out.insert(out.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
  return out;
}

void Pool::dispatch_soon() {
  if (dispatching_ || (waiting_.empty() && waiting_beneath_.empty())) return;
  dispatching_ = true;
  work_.spawn(dispatch_next_turn());
}

Task<void> Pool::dispatch_next_turn() {
  co_await NextTurn{setting_.loop};
  dispatching_ = false;
  dispatch(waiting_beneath_, Bound::none);
  dispatch(waiting_, Bound::worker);
}

void Pool::dispatch(std::vector<ActiveRun*>& waiting, Bound bound) {
  if (waiting.empty()) return;
  auto dealt = hands(bound);
  if (dealt.empty()) return;
  group_by_key(waiting);
  std::size_t taken = 0;
  for (Hand* hand = nullptr; taken < waiting.size(); ++taken) {
    auto* run = waiting[taken];
    const bool follows =
        hand != nullptr && run->run.key && waiting[taken - 1]->run.key == run->run.key;
    if (!follows || is_full(*hand, bound)) hand = least_loaded(dealt, bound);
    if (hand == nullptr) break;
    hand->runs.push_back(run);
  }
  waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(taken));
  for (const auto& [worker, runs] : dealt) {
    if (!runs.empty()) worker->start(runs);
  }
}

std::vector<Pool::Hand> Pool::hands(Bound bound) const {
  const auto takes = [bound](const Worker& worker) {
    if (bound == Bound::none) return worker.takes_runs_beneath();
    return worker.takes_runs() && !worker.has_enough_to_start() &&
           worker.unwritten_bytes() < limits::bridge_frame_bytes_max;
  };
  std::vector<Hand> hands;
  for (auto* worker : workers_) {
    if (worker != nullptr && takes(*worker)) hands.push_back({worker, {}});
  }
  return hands;
}

bool Pool::is_full(const Hand& hand, Bound bound) {
  return bound == Bound::worker && hand.load() >= limits::runs_per_worker_max;
}

Pool::Hand* Pool::least_loaded(std::vector<Hand>& hands, Bound bound) {
  const auto least = std::ranges::min_element(hands, {}, &Hand::load);
  return is_full(*least, bound) ? nullptr : &*least;
}

void Pool::stop() {
  for (auto& stop : stops_) stop->ring();
  for (auto* worker : workers_) {
    if (worker != nullptr) worker->stop();
  }
}

}  // namespace toa::bridge::node
