#include "gateway/access/credential_rules.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace toa::gateway {
namespace {

bool fits(const std::vector<manifest::Pattern>& patterns, std::string_view text) {
  return std::ranges::all_of(patterns, [&](const auto& pattern) {
    return pattern.search(text) == manifest::Pattern::Found::yes;
  });
}

}  // namespace

std::string_view CredentialRules::fault_of_username(std::string_view username) const {
  // `Basic` ends a username at its first colon.
  const bool usable = !username.empty() && username.size() <= limits::username_bytes_max &&
                      username.find(':') == std::string_view::npos;
  return usable && fits(usernames, username) ? "" : "INVALID_USERNAME";
}

std::string_view CredentialRules::fault_of_password(std::string_view password) const {
  const bool usable = password.size() <= limits::password_bytes_max;
  return usable && fits(passwords, password) ? "" : "INVALID_PASSWORD";
}

std::string_view CredentialRules::fault_of(std::string_view username,
                                           std::string_view password) const {
  const auto fault = fault_of_username(username);
  return fault.empty() ? fault_of_password(password) : fault;
}

}  // namespace toa::gateway
