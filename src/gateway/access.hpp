#pragma once

#include "async/task.hpp"
#include "gateway/directive.hpp"
#include "gateway/exchange.hpp"

namespace toa::gateway {

/// Finds out who asks. Whether he may is the business of the family `auth`, whose directives see
/// `Exchange::caller`. Loop thread.
class Access {
 public:
  virtual ~Access() = default;

  /// Asked only where the request has an `authorization` header. Sets `caller`; credentials that
  /// are not good leave it empty (G170). Refuses only whom it does not listen to (G185).
  virtual Task<Verdict> authenticate(Exchange& exchange) = 0;

  /// Whether `conclude` has anything to do for this exchange, so that others do not wait for it.
  virtual bool concludes(const Exchange& exchange) const = 0;
  /// After the operation answered, before the response is made: new identities and tokens (G171).
  virtual Task<Verdict> conclude(Exchange& exchange) = 0;
  /// The status is final, whatever it is: hands over the token that is due.
  virtual void settle(Exchange&) {}
};

/// Knows nobody: every request is anonymous.
class NoAccess final : public Access {
 public:
  Task<Verdict> authenticate(Exchange&) override { co_return Verdict{}; }
  bool concludes(const Exchange&) const override { return false; }
  Task<Verdict> conclude(Exchange&) override { co_return Verdict{}; }
};

}  // namespace toa::gateway
