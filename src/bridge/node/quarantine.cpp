#include "bridge/node/quarantine.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace toa::bridge::node {

void Quarantine::submit(ActiveRun& run) {
  run.trial = std::max(run.trial, setting_.options.trial);
  waiting_.push_back(&run);
  advance();
}

void Quarantine::advance() {
  if (stopping_) return;
  for (;;) {
    const auto next = std::ranges::find_if(waiting_, [this](auto* run) { return may_start(*run); });
    if (next == waiting_.end()) break;
    auto* run = *next;
    waiting_.erase(next);
    auto& lane = free_lane();
    lane.on_trial = run;
    if (lane.worker != nullptr && lane.worker->takes_runs()) begin(lane);
  }
  stop_idle();
}

bool Quarantine::may_start(const ActiveRun& suspect) const {
  return std::ranges::all_of(lanes_, [&suspect](const Lane& lane) {
    return lane.on_trial == nullptr || suspect.is_beneath(*lane.on_trial);
  });
}

Quarantine::Lane& Quarantine::free_lane() {
  for (auto& lane : lanes_) {
    const bool alive = lane.worker != nullptr && !lane.worker->ending();
    if (lane.on_trial == nullptr && alive) return lane;
  }
  lanes_.emplace_back(setting_.loop);
  work_.spawn(keep(std::prev(lanes_.end())));
  return lanes_.back();
}

Task<void> Quarantine::keep(std::list<Lane>::iterator lane) {
  co_await lane->stop.wait(respawn_.pause());
  Ending ending;
  std::vector<ActiveRun*> runs;
  if (!lane->stop.rung()) {
    Worker worker(setting_, *this);
    lane->worker = &worker;
    const auto born = setting_.clock.steady();
    ending = co_await worker.live();
    lane->worker = nullptr;
    runs = worker.take_runs();
    // A worker that was stopped for want of suspects did not die.
    if (!lane->stop.rung())
      respawn_.ended(ending.loaded ? limits::worker_calm : setting_.clock.steady() - born);
  }
  auto* on_trial = lane->on_trial;
  end_trial(*lane);
  lanes_.erase(lane);
  if (on_trial != nullptr && on_trial->worker == nullptr) waiting_.push_front(on_trial);
  lost_(std::move(runs), ending);
  advance();
}

Quarantine::Lane& Quarantine::lane_of(const Worker& worker) {
  const auto lane = std::ranges::find(lanes_, &worker, &Lane::worker);
  require(lane != lanes_.end(), "a worker of the quarantine has no lane");
  return *lane;
}

void Quarantine::ready(Worker& worker) {
  if (!worker.takes_runs()) return;
  auto& lane = lane_of(worker);
  if (lane.on_trial != nullptr) begin(lane);
  stop_idle();
}

void Quarantine::begin(Lane& lane) {
  lane.worker->start(*lane.on_trial);
  arm_trial(lane);
}

void Quarantine::arm_trial(Lane& lane) {
  lane.trial = setting_.loop.after(lane.on_trial->trial, [this, &lane] { trial_over(lane); });
}

void Quarantine::trial_over(Lane& lane) {
  if (!lane.worker->responsive()) return arm_trial(lane);
  end_trial(lane);
  advance();
}

void Quarantine::end_trial(Lane& lane) {
  lane.on_trial = nullptr;
  if (lane.trial) setting_.loop.cancel(*lane.trial);
  lane.trial.reset();
}

void Quarantine::freed(Worker& worker, ActiveRun& run) {
  if (auto* lane = &lane_of(worker); lane->on_trial == &run) end_trial(*lane);
  advance();
}

void Quarantine::stop_idle() {
  for (auto& lane : lanes_) {
    if (lane.worker == nullptr || lane.on_trial != nullptr || lane.worker->runs() > 0) continue;
    if (lane.worker->takes_runs()) lane.worker->stop();
  }
}

std::vector<ActiveRun*> Quarantine::take_waiting() {
  std::vector<ActiveRun*> out(waiting_.begin(), waiting_.end());
  waiting_.clear();
  return out;
}

void Quarantine::stop() {
  stopping_ = true;
  for (auto& lane : lanes_) {
    lane.stop.ring();
    if (lane.worker != nullptr) lane.worker->stop();
    if (lane.on_trial != nullptr && lane.on_trial->worker == nullptr) {
      waiting_.push_back(std::exchange(lane.on_trial, nullptr));
    }
  }
}

}  // namespace toa::bridge::node
