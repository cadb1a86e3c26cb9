#pragma once

#include <cstddef>
#include <memory>

#include "async/loop.hpp"
#include "async/task.hpp"
#include "base/clock.hpp"
#include "base/fault.hpp"
#include "base/limits.hpp"
#include "base/random.hpp"
#include "bridge/bridge.hpp"
#include "manifest/application.hpp"
#include "model/identity.hpp"
#include "model/reply.hpp"
#include "model/request.hpp"
#include "operation/lineage.hpp"
#include "operation/outgoing.hpp"
#include "operation/repeats.hpp"
#include "operation/steps/chain.hpp"
#include "operation/steps/judge.hpp"
#include "operation/turns.hpp"
#include "storage/storage.hpp"

namespace toa::operation {

/// Everything that invocations are given from outside. All of it outlives the router.
struct World {
  const manifest::Application& application;
  storage::Storage& storage;
  /// For entities that keep nothing.
  storage::Storage& nowhere;
  bridge::Bridge& bridge;
  Outgoing& outgoing;
  Loop& loop;
  Clock& clock;
  Random& random;
  ChainLimits chain = {};
  JudgeReplies judge_replies = JudgeReplies::yes;
  /// Calls that nothing of this process causes, at once.
  std::size_t origins_max = limits::invocations_max;
  /// How long a repeat waits for the first of its identity, at most (D5).
  std::chrono::milliseconds repeat_wait = limits::repeat_wait_max;
  /// What a call beneath is known by (D7). Passed in, so that a test can show what a poorer one
  /// would do.
  Identity (*identity_beneath)(const Identity& parent, std::string_view serving,
                               std::string_view called, Ordinal ordinal) = call_identity;
};

/// That nothing serves this endpoint, and which part of it is not there.
Exception no_endpoint(const manifest::Application& application, const std::string& endpoint);

/// Takes calls to the operations that serve them. Loop thread only.
class Router {
 public:
  explicit Router(World world)
      : world_(world), turns_(world.loop), repeats_(world.loop, world.repeat_wait) {}

  /// A call that nothing of this process causes. It gets an identity if it states none. Beyond
  /// `origins_max` it is refused, and nothing was done. A reply that is a stream goes to
  /// `consumer`, which outlives the task; where there is none it is made and dropped.
  Task<Reply> originate(std::string endpoint, Request request,
                        bridge::Consumer* consumer = nullptr);
  /// The same, where more than the request is known of it.
  Task<Reply> originate(Call call, bridge::Consumer* consumer = nullptr);

  /// Hands a call over as a task; answers `null` once that is durable (R63).
  Task<Reply> hand_over(Call task);

  /// A call in its envelope; `above` is what waits for it within this process. An endpoint that the
  /// application lacks is an exception.
  Task<Reply> route(Call call, Lineage* above, bridge::Consumer* consumer = nullptr);

  const World& world() const { return world_; }
  Turns& turns() { return turns_; }
  Repeats& repeats() { return repeats_; }

 private:
  World world_;
  std::size_t origins_ = 0;
  Turns turns_;
  Repeats repeats_;
};

}  // namespace toa::operation
