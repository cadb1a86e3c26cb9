#pragma once

#include <expected>
#include <optional>
#include <vector>

#include "async/task.hpp"
#include "bridge/bridge.hpp"
#include "manifest/application.hpp"
#include "model/reply.hpp"
#include "model/request.hpp"
#include "operation/host.hpp"
#include "operation/lineage.hpp"
#include "operation/loading.hpp"
#include "operation/steps/change.hpp"
#include "storage/storage.hpp"

namespace toa::operation {

class Router;

/// One call on its way through an operation:
///
///   1 check     the chain, the envelope
///   2 recall    once: was this call made, or is it being made? → its first reply
///   3 load      the input against its contract; objects by the query, a blank, or what `entity`
///               describes
///   4 run       the author's code, or what every component inherits
///   5 judge     output, refusal, discard or exception; held against what is declared; what was
///   left
///               of each object against the entity
///   6 guard     all changes, by all guards
///   7 commit    each object at its next version, and the call with its reply, as one unit
///   8 reply     trimmed to what the caller asked for
///
/// A race lost at 7 goes back to 3; an assignment, which reads nothing, keeps what it came to at 4.
/// What takes turns may start at 3 from a state that is accepted and not durable yet: its calls
/// (4) and whatever it comes to without a commit wait for that state, and where it is taken back
/// the attempt is made again, uncounted (D5). It lives in the frame that awaits `serve`, which is
/// called once.
class Invocation {
 public:
  Invocation(Router& router, const manifest::Component& component,
             const manifest::Operation& operation, Call call, Lineage* above,
             bridge::Consumer* consumer);
  Invocation(const Invocation&) = delete;
  Invocation& operator=(const Invocation&) = delete;

  Task<Reply> serve();

 private:
  /// What an attempt came to: `reply_`; or nothing, because another writer won, or because the
  /// state that it started from was taken back, which counts as no attempt.
  enum class Attempt { replied, lost_race, taken_back };
  using Ran = bridge::Ran;

  std::optional<Exception> check() const;
  Task<void> serve_once();
  Task<void> serve_attempts();
  Task<Attempt> attempt(int lost);
  Task<Attempt> held_to(storage::Accepted saw, Attempt attempted);
  Attempt fail(Exception exception);
  Task<void> take_turn(int lost);
  Task<Given> load();
  Task<void> wait_for_durable_head();
  void works_on(const std::vector<Object>& given);
  Task<Ran> run(const std::vector<Object>& given);
  std::optional<Document> state_for_code(const std::vector<Object>& given) const;
  std::vector<Change> judge(Ran ran, const std::vector<Object>& given);
  std::vector<Change> judge(bridge::Returned returned, const std::vector<Object>& given);
  Task<Attempt> commit(std::vector<Change> changes);
  Task<Attempt> settled(const storage::Lost& lost, const ObjectKey& key);
  Attempt settled(storage::FirstReply known);
  storage::Unit unit_of(std::vector<Change> changes);
  void finish();
  bool takes_turns() const;
  const bridge::Host* caller() const;

  Router& router_;
  const manifest::Component& component_;
  const manifest::Operation& operation_;
  Call call_;
  Lineage lineage_;
  InvocationHost host_;
  /// What its caller hears. Here, and not handed up through the coroutines: it is large.
  Reply reply_;
  Turns::Turn turn_;
  /// The unit that made the state which the attempt started from, where that is not durable yet:
  /// what the attempt comes to is told when it is (D3, D5).
  storage::Accepted saw_;
  int taken_back_ = 0;
  /// What an assignment came to: it holds for whatever the object is when it is stored.
  std::optional<Ran> assigned_;
  /// The function ran in this attempt: an assignment's runs in the first alone.
  bool ran_ = false;
  /// What is now remembered of this call, for those who wait for it.
  std::optional<storage::FirstReply> left_;
};

}  // namespace toa::operation
