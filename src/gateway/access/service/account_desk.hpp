#pragma once

#include <functional>
#include <string>

#include "gateway/access/service/identity_access.hpp"

namespace toa::gateway {

/// Changes what is kept of the identity that a path speaks of. Cheap to copy; what it is given
/// outlives all tasks.
class AccountDesk {
 public:
  AccountDesk(IdentityWorld world, IdentityAccess& access) : world_(world), access_(access) {}

  /// As it is now. 400 where the id is none, 404 where it is of another authority (G173).
  Task<std::expected<Account, Refused>> look(std::string authority, std::string id) const;
  /// Changes it, or refuses; `change` may be asked more than once. Custom tokens are looked up
  /// again after it.
  Task<Verdict> change(std::string authority, std::string id,
                       std::function<Verdict(Account&)> change) const;

 private:
  IdentityWorld world_;
  IdentityAccess& access_;
};

/// A refusal with a code (G58).
Refused refusal(std::string_view code);

}  // namespace toa::gateway
