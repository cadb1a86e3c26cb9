#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "async/completion.hpp"
#include "async/scope.hpp"
#include "bridge/node/alarm.hpp"
#include "bridge/node/losses.hpp"
#include "bridge/node/respawn.hpp"
#include "bridge/node/worker.hpp"

namespace toa::bridge::node {

/// The ordinary workers: keeps their number, and gives each run to the one with the fewest.
/// Invariants: (1) runs beneath others are never held back by the bound on a worker, or callers
/// that wait for them could fill all workers; (2) a worker that ended is replaced until `stop`;
/// (3) what is submitted in one turn of the loop, or while all workers have enough to start, leaves
/// in as few frames as there are workers with room, so that batches form without a timer.
class Pool final : public WorkerOwner {
 public:
  Pool(WorkerSetting& setting, Losses& losses);

  /// Starts all workers; what the first one found, once all have loaded. A failure is that of the
  /// first that ended.
  Task<std::expected<WorkerLoaded, Ending>> load();
  /// Takes all workers through the stages that are entered; what went wrong in the first where
  /// something did.
  Task<std::optional<std::string>> advance();
  /// Starts `run` in a worker, or as soon as one has room.
  void submit(ActiveRun& run);
  /// Takes back the runs that no worker has.
  std::vector<ActiveRun*> take_waiting();
  void stop();
  /// Waits until all workers have ended, after `stop`.
  Task<void> ended() { co_await work_.close(); }

 private:
  using FirstLoad = std::expected<WorkerLoaded, Ending>;

  void loaded(Worker& worker, const WorkerLoaded& loaded) override;
  void ready(Worker&) override { dispatch_soon(); }
  void freed(Worker&, ActiveRun&) override { dispatch_soon(); }
  void started(Worker&) override { dispatch_soon(); }

  Task<void> keep(std::size_t slot);
  void replaced(const Ending& ending, std::chrono::milliseconds pause);
  void first_load_failed(const Ending& ending);
  /// Whether runs are held back where a worker has enough.
  enum class Bound { none, worker };
  /// A worker, and what it is to start next.
  struct Hand {
    Worker* worker;
    std::vector<ActiveRun*> runs;
    std::size_t load() const { return worker->runs() + runs.size(); }
  };

  std::vector<Hand> hands(Bound bound) const;
  static bool is_full(const Hand& hand, Bound bound);
  static Hand* least_loaded(std::vector<Hand>& hands, Bound bound);
  void dispatch_soon();
  Task<void> dispatch_next_turn();
  void dispatch(std::vector<ActiveRun*>& waiting, Bound bound);

  WorkerSetting& setting_;
  Losses& losses_;
  Scope work_;
  std::vector<std::unique_ptr<Alarm>> stops_;
  std::vector<Worker*> workers_;
  std::vector<ActiveRun*> waiting_;
  std::vector<ActiveRun*> waiting_beneath_;
  bool dispatching_ = false;

  bool loading_ = true;
  std::size_t loads_missing_ = 0;
  std::optional<WorkerLoaded> found_;
  Completion<FirstLoad> first_load_;
};

}  // namespace toa::bridge::node
