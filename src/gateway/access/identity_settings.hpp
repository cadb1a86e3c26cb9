#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gateway/access/credential_rules.hpp"
#include "gateway/access/passwords.hpp"
#include "gateway/access/token_key.hpp"
#include "gateway/access/tokens.hpp"
#include "manifest/application.hpp"
#include "manifest/read.hpp"

namespace toa::gateway {

/// The first administrator (G181).
struct Principal {
  std::string authority;
  std::string username;
};

/// What the Context's `configuration` says of `identity.tokens` and `identity.basic`.
struct IdentitySettings {
  /// The first seals, any opens (G188).
  std::vector<TokenKey> keys;
  /// The variable that should hold the first key, and does not.
  std::optional<std::string> missing_key;
  TokenTerms tokens;
  /// How long, and of how many identities, it is remembered which custom tokens are good (G193).
  std::chrono::milliseconds cache_ttl{600'000};
  std::size_t cache_max = 1'024;
  CredentialRules rules;
  PasswordTerms passwords;
  std::optional<Principal> principal;
};

/// Reports what is wrong. A first key whose variable is not set is no problem here: who runs the
/// application judges that.
IdentitySettings read_identity_settings(const manifest::Context& context,
                                        const manifest::Variables& variables,
                                        std::vector<manifest::Problem>& problems);

}  // namespace toa::gateway
