#pragma once

#include <deque>
#include <list>
#include <optional>
#include <vector>

#include "async/scope.hpp"
#include "bridge/node/alarm.hpp"
#include "bridge/node/respawn.hpp"
#include "bridge/node/worker.hpp"

namespace toa::bridge::node {

/// Runs suspects: those that were in a worker when it ended. Invariants:
/// (1) At most one suspect is on trial, alone but for acquitted ones; only a suspect beneath all
/// those on trial is tried beside
///     them, in a worker of its own, since they wait for it.
/// (2) A suspect that still runs after its trial is acquitted and shares its worker, so that one
/// that waits for hours holds up
///     nobody. Only a run that was alone in a worker that ended is blamed; others are tried again,
///     for longer.
/// (3) Workers are made when they are needed, and stopped when no suspect is left for them.
class Quarantine final : public WorkerOwner {
 public:
  explicit Quarantine(WorkerSetting& setting) : setting_(setting), work_(setting.loop) {}

  /// Tries `run`, which is in no worker, under a number of its own.
  void submit(ActiveRun& run);
  /// What becomes of the runs of its workers that ended: as Losses, but here the guilty is found.
  using Lost = std::move_only_function<void(std::vector<ActiveRun*> runs, const Ending& ending)>;
  void on_lost(Lost lost) { lost_ = std::move(lost); }

  std::vector<ActiveRun*> take_waiting();
  void stop();
  Task<void> ended() { co_await work_.close(); }

 private:
  struct Lane {
    explicit Lane(Loop& loop) : stop(loop) {}
    Worker* worker = nullptr;
    ActiveRun* on_trial = nullptr;
    std::optional<Loop::TimerId> trial;
    Alarm stop;
  };

  void loaded(Worker&, const WorkerLoaded&) override {}
  void ready(Worker& worker) override;
  void freed(Worker& worker, ActiveRun& run) override;

  Task<void> keep(std::list<Lane>::iterator lane);
  void advance();
  bool may_start(const ActiveRun& suspect) const;
  Lane& free_lane();
  Lane& lane_of(const Worker& worker);
  void begin(Lane& lane);
  void arm_trial(Lane& lane);
  void trial_over(Lane& lane);
  void end_trial(Lane& lane);
  void stop_idle();

  WorkerSetting& setting_;
  Scope work_;
  Lost lost_;
  std::list<Lane> lanes_;
  std::deque<ActiveRun*> waiting_;
  Respawn respawn_;
  bool stopping_ = false;
};

}  // namespace toa::bridge::node
