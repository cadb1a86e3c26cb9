#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "async/completion.hpp"
#include "async/loop.hpp"
#include "storage/expiry_clock.hpp"
#include "storage/sqlite/heads.hpp"
#include "storage/sqlite/writer.hpp"
#include "storage/unit.hpp"

namespace toa::storage::sqlite {

/// Shares transactions among units, without a timer: what queued up while one batch was flushed is
/// the next (D4). Loop thread only.
///
/// (1) At most one batch is with the writer; units are stored in the order of their coming, which
/// is the order of acceptance (D5): one that builds on another comes after it, and falls with it.
/// (2) Nobody is answered before the writer said that the outcome is durable.
/// (3) `on_stored` and `on_lost` hear of a unit's objects before whoever waits for the unit.
/// (4) After an unknown outcome nothing is answered, ever.
class CommitQueue {
 public:
  struct Handlers {
    /// The states that a unit made durable; on the loop.
    std::function<void(std::vector<Write>)> on_stored;
    /// A write that found its object at another version; on the loop.
    std::function<void(const Write&)> on_lost;
    /// After each batch; on the loop.
    std::function<void()> on_landed;
    /// Ends the process. On the writer's thread.
    std::function<void(const std::string&)> on_unknown_outcome;
  };

  /// `heads` are nothing where all units wait for what is durable.
  CommitQueue(Loop& loop, Executor& executor, Writer& writer, const ExpiryClock& time, Heads* heads,
              Handlers handlers)
      : loop_(loop),
        executor_(executor),
        writer_(writer),
        time_(time),
        heads_(heads),
        handlers_(std::move(handlers)) {}

  Task<Result<Commit>> commit(Unit unit);
  /// Waits until nothing is queued or with the writer. Called once.
  Task<void> drain();

 private:
  using Waiting = Completion<Result<Commit>>;
  struct Queued {
    Unit unit;
    std::optional<Lost> lost;
    Accepted acceptance;
    Waiting* waiting;
  };
  struct Flight {
    std::vector<Unit> units;
    std::vector<Writer::Ground> grounds;
    std::vector<Accepted> acceptances;
    std::vector<Waiting*> waiting;
  };

  void start_soon();
  void start();
  Flight next_flight();
  static Writer::Ground ground_of(const Queued& queued);
  void fly(Flight flight, Writer::Time time);
  void landed(Flight flight, Batch batch);
  void settle(Flight& flight, const Batch& batch);

  Loop& loop_;
  Executor& executor_;
  Writer& writer_;
  const ExpiryClock& time_;
  Heads* heads_;
  Handlers handlers_;
  std::deque<Queued> queue_;
  /// A batch is with the writer, or about to be.
  bool busy_ = false;
  Completion<bool>* drained_ = nullptr;
};

}  // namespace toa::storage::sqlite
