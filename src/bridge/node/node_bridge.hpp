#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "async/asio_loop.hpp"
#include "async/scope.hpp"
#include "base/clock.hpp"
#include "bridge/bridge.hpp"
#include "bridge/log_sink.hpp"
#include "bridge/node/active_run.hpp"
#include "bridge/node/alarm.hpp"
#include "bridge/node/losses.hpp"
#include "bridge/node/options.hpp"
#include "bridge/node/pool.hpp"
#include "bridge/node/preparation.hpp"
#include "bridge/node/quarantine.hpp"

namespace toa::bridge {

/// Runs TypeScript and JavaScript in Node.js processes. All on the loop's thread; everything given
/// outlives it. `close` is awaited before it is destroyed, also after a `load` that failed.
class NodeBridge final : public Bridge, private node::Losses, private node::Preparation {
 public:
  NodeBridge(AsioLoop& loop, const Clock& clock, LogSink& log, NodeOptions options);

  /// Fails, saying what to do, where Node is missing or older than 18, and where a worker ends or
  /// takes too long before it has loaded. Once.
  Task<Result<Loaded>> load(Application application) override;
  Task<Result<void>> enter(Stage stage, Commander& commander) override;
  /// The exception of the guilty says how it ended its worker.
  Task<Ran> run(Run run, Host& host) override;
  /// Runs that do not end in time end as exceptions, and their workers are killed.
  Task<void> close() override;

 private:
  void lost(std::vector<node::ActiveRun*> runs, const node::Ending& ending) override;
  void stranded(const std::vector<node::ActiveRun*>& runs, const node::Ending& ending) override;
  void lost_in_quarantine(std::vector<node::ActiveRun*> runs, const node::Ending& ending);
  void lost_again(node::ActiveRun& run, const node::Ending& ending);
  bool ended_without(node::ActiveRun& run);
  void abandon(const std::vector<node::ActiveRun*>& runs);

  bool needed() const override { return !commands_.empty(); }
  std::optional<Stage> entered() const override { return stage_; }
  Task<std::optional<std::string>> run_commands(node::Worker& worker, Stage stage) override;
  Task<Ran> run_command(node::Worker& worker, OperationNumber number, Stage stage, Host& host);

  Task<Error> explain(node::Ending ending);
  Task<void> report_waiting();
  void begin(node::ActiveRun& run);
  void leave(node::ActiveRun& run);
  node::ActiveRun* active(const Host* host) const;

  node::WorkerSetting setting_;
  node::Pool pool_;
  node::Quarantine quarantine_;
  Scope work_;
  node::Alarm finished_;
  node::Alarm stopped_;
  Completion<bool> all_left_;
  bool closing_ = false;

  std::unordered_map<OperationNumber, std::string> names_;
  /// The run commands, and whose they are.
  std::vector<std::pair<OperationNumber, std::string>> commands_;
  std::optional<Stage> stage_;
  Commander* commander_ = nullptr;
  std::unordered_set<node::ActiveRun*> runs_;
  std::unordered_map<const Host*, node::ActiveRun*> by_host_;
};

}  // namespace toa::bridge
