#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "delivery/steps/ladder.hpp"
#include "simulation/sim_loop.hpp"
#include "storage/sqlite/inbox/inbox_options.hpp"

namespace toa::simulation {

/// How often something happens, in a thousand times that it could.
using Permille = std::uint64_t;

/// What a seed has in store. Each kind of trouble is in some plans and not in others, so that no
/// kind hides behind another.
struct Plan {
  explicit Plan(Random& random);

  SimLoop::Order order;
  SimWorker::Pace pace;
  delivery::Ladder ladder;

  int wallets;
  int credits, payments, tallies, notes;
  /// Pairs of calls that call one another.
  int crossings;
  /// Changes start from states that are not durable yet (D5).
  bool accepts_early;
  /// How small the slices of remembered calls are.
  storage::sqlite::InboxOptions inbox;
  /// Of the payments: audits throw until they are mended, or at once for good.
  Permille bad, poisoned;

  /// Of the time before the faults end.
  milliseconds turbulence;
  milliseconds client_pause_max;

  /// Whole-process troubles that are to come.
  int crashes, restarts;
  milliseconds downtime_max;
  bool crashes_keep_blocks;
  int clock_jumps;
  milliseconds clock_jump_max;
  /// The clock is set back by this once: by hours, and right again before the faults end, or by
  /// days, and never.
  milliseconds set_back;
  bool set_right;
  int bad_weathers;

  Permille commit_fails, commit_unknown, commit_lies, read_fails, task_unknown;
  Permille storage_lingers;
  Permille duplicates, replies_lost, called_again, looks;
  Permille throws, lingers, worker_lost;
  Permille returned_early;
  std::int64_t outbox_batch;

 private:
  void rush(Random& random);
};

}  // namespace toa::simulation
