#pragma once

#include <string_view>
#include <vector>

#include "manifest/pattern.hpp"

namespace toa::gateway {

/// What new usernames and passwords must be: every pattern must match (G179).
struct CredentialRules {
  std::vector<manifest::Pattern> usernames;
  std::vector<manifest::Pattern> passwords;

  /// The code that a username, a password is refused with; empty where it is good.
  std::string_view fault_of_username(std::string_view username) const;
  std::string_view fault_of_password(std::string_view password) const;
  std::string_view fault_of(std::string_view username, std::string_view password) const;
};

}  // namespace toa::gateway
