#pragma once

#include <vector>

#include "bridge/node/active_run.hpp"
#include "bridge/node/worker.hpp"

namespace toa::bridge::node {

/// Decides what becomes of runs whose worker ended.
class Losses {
 public:
  virtual ~Losses() = default;
  /// `runs` were in a worker that ended; none of them is anywhere now.
  virtual void lost(std::vector<ActiveRun*> runs, const Ending& ending) = 0;
  /// `runs` wait for a worker, and none can be started, the last of which ended so.
  virtual void stranded(const std::vector<ActiveRun*>& runs, const Ending& ending) = 0;
};

}  // namespace toa::bridge::node
