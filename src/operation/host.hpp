#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "bridge/bridge.hpp"
#include "manifest/application.hpp"
#include "model/request.hpp"
#include "operation/lineage.hpp"
#include "operation/turns.hpp"
#include "storage/acceptance.hpp"

namespace toa::operation {

class Router;

/// The calls that one invocation makes: each gets its identity from the invocation's own, the
/// called endpoint, and how many calls to it went before, over all attempts (D7, R80, R85).
class InvocationHost final : public bridge::Host {
 public:
  InvocationHost(Router& router, const manifest::Component& component,
                 const manifest::Operation& serving, const Call& call, Lineage& lineage,
                 bridge::Consumer* consumer)
      : router_(router),
        component_(component),
        serving_(serving),
        call_(call),
        lineage_(lineage),
        consumer_(consumer) {}

  /// The turn that the run's first call ends; it must not move while it is set.
  void in_turn(Turns::Turn* turn) { turn_ = turn; }

  /// The attempt started from a state that is not durable yet: what leaves the invocation waits for
  /// that.
  void saw(storage::Accepted state);
  /// That state is durable.
  void saw_what_holds();
  /// That state was taken back. Nothing was called then, and the next attempt counts its calls from
  /// where this one did.
  void saw_in_vain();

  void restarted() override;
  void leave() override;
  Task<std::optional<Exception>> settle() override;
  Task<Outcome> call(bridge::Where where, std::string endpoint, Document request) override;
  Task<Outcome> call_into(bridge::Consumer& consumer, bridge::Where where, std::string endpoint,
                          Document request) override;
  void begin() override;
  Task<bool> part(Document part) override;
  Task<Outcome> query(Document question) override;
  /// Replies with the stream of all that the call selects.
  Task<bridge::Ran> pass_stream();

  /// Whether this is what a call beneath failed with for good: code that passes it on passes its
  /// code and message, and no more.
  bool is_for_good(const Exception& thrown) const {
    return thrown.for_good ||
           (for_good_ && for_good_->code == thrown.code && for_good_->message == thrown.message);
  }

 private:
  Task<Outcome> rows(const Json& question);
  Task<Outcome> page(const Json& question);
  Task<Outcome> make(std::string endpoint, Document request, bridge::Consumer* consumer);

  Router& router_;
  const manifest::Component& component_;
  const manifest::Operation& serving_;
  const Call& call_;
  Lineage& lineage_;
  /// Whoever takes the invocation's reply where that is a stream; nobody for a task.
  bridge::Consumer* consumer_;
  Turns::Turn* turn_ = nullptr;
  storage::Accepted saw_;
  bool begins_ = false;
  std::unordered_map<std::string, std::uint64_t> ordinals_, ordinals_at_start_;
  std::optional<Exception> for_good_;
};

}  // namespace toa::operation
