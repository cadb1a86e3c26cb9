#pragma once

#include <expected>
#include <optional>

#include "async/task.hpp"
#include "bridge/bridge.hpp"
#include "manifest/application.hpp"
#include "model/reply.hpp"
#include "model/request.hpp"
#include "operation/host.hpp"
#include "operation/lineage.hpp"
#include "storage/storage.hpp"

namespace toa::operation {

class Router;

/// One call on its way through an operation:
///
///   1 check     the chain, the envelope
///   2 recall    once: was this call made, or is it being made? → its first reply
///   3 load      the input against its contract; the object by the query, or a blank
///   4 run       the author's code, or what every component inherits
///   5 judge     output, refusal, discard or exception; held against what is declared
///   6 validate  what a transition left against the entity
///   7 commit    the object at its next version, and the call with its reply, as one unit
///   8 reply     trimmed to what the caller asked for
///
/// A race lost at 7 goes back to 3. It lives in the frame that awaits `serve`, which is called
/// once.
class Invocation {
 public:
  Invocation(Router& router, const manifest::Component& component,
             const manifest::Operation& operation, Call call, Lineage* above);
  Invocation(const Invocation&) = delete;
  Invocation& operator=(const Invocation&) = delete;

  Task<Reply> serve();

 private:
  /// What one attempt came to: a reply, or a lost race.
  struct LostRace {};
  using Attempt = std::expected<Reply, LostRace>;
  using Loaded = std::expected<std::optional<storage::Object>, Exception>;
  using Ran = bridge::Ran;

  std::optional<Exception> check() const;
  Task<Reply> serve_once();
  Task<Reply> serve_attempts();
  Task<Attempt> attempt(int lost);
  Task<Loaded> load();
  Task<Ran> run(const std::optional<storage::Object>& object);
  Ran run_inherited(const std::optional<Document>& state) const;
  /// What a transition left to store.
  struct Left {
    storage::Object object;
    std::optional<Document> trailers;
  };
  Attempt judge(Ran ran, const std::optional<storage::Object>& object,
                std::optional<Left>& left) const;
  Task<Attempt> commit(Reply reply, const storage::Object& before, Left left);
  storage::Unit unit_of(const Reply& reply, const storage::Object& before, Left left) const;
  Record record_of(const storage::Object& before, const Left& left) const;
  Reply trimmed(Reply reply) const;
  bool takes_turns() const;
  bool is_kept() const;
  storage::Storage& storage() const;

  Router& router_;
  const manifest::Component& component_;
  const manifest::Operation& operation_;
  Call call_;
  Lineage lineage_;
  InvocationHost host_;
  Turns::Turn turn_;
  /// What is now remembered of this call, for those who wait for it.
  std::optional<storage::FirstReply> left_;
};

}  // namespace toa::operation
