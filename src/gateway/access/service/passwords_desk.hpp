#pragma once

#include <optional>
#include <string>

#include "gateway/access/service/account_desk.hpp"

namespace toa::gateway {

/// Gives passwords to identities, changes and removes them. Cheap to copy; what it is given
/// outlives all tasks.
class PasswordsDesk {
 public:
  PasswordsDesk(IdentityWorld world, IdentityAccess& access)
      : world_(world), accounts_(world, access) {}

  /// A new identity (G178, G181).
  Task<Verdict> create(std::string authority, std::string id, UserPassword user) const;
  /// Of one that has none yet (G183).
  Task<Verdict> add(std::string authority, std::string id, UserPassword user) const;
  /// What is given; tokens from before are not replaced, custom ones are revoked.
  Task<Verdict> change(std::string authority, std::string id, std::optional<std::string> username,
                       std::optional<std::string> password) const;
  Task<Verdict> remove(std::string authority, std::string id) const;

 private:
  bool is_principal(std::string_view authority, std::string_view username) const;
  Verdict judge(const std::optional<std::string>& username,
                const std::optional<std::string>& password) const;

  IdentityWorld world_;
  AccountDesk accounts_;
};

}  // namespace toa::gateway
