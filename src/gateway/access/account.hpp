#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/json.hpp"

namespace toa::gateway {

/// Whether a text may be the id of an identity: 32 hex digits.
bool is_identity_id(std::string_view text);

/// The one form of an identity's id, which may be written in upper case too; another text as it is.
std::string canonical_id(std::string id);

struct Grant {
  std::string role;
  /// The identity that granted it; empty where nobody did.
  std::string grantor;
};

/// A token of its own lifetime and rights (G192). The token itself is kept nowhere.
struct CustomToken {
  std::string id;
  std::string label;
  EpochMs created = 0;
  /// Nothing: never.
  std::optional<EpochMs> expires = {};
  std::optional<EpochMs> revoked = {};

  bool is_good(EpochMs now) const { return !revoked && (!expires || now < *expires); }
};

/// Everything that is kept of one identity. One that nothing is kept of has version 0.
struct Account {
  std::string id;
  std::int64_t version = 0;
  std::string authority = {};
  /// Empty where it has no password.
  std::string username = {};
  std::string claim = {};     // that the username was taken by
  std::string password = {};  // bcrypt
  std::vector<Grant> grants = {};
  bool banned = false;
  std::string comment = {};
  /// Tokens issued before are not replaced: the password changed (G183).
  EpochMs revised = 0;
  std::vector<CustomToken> tokens = {};

  /// Whether it is none of this authority's (G173).
  bool is_strange(std::string_view asking) const { return version > 0 && authority != asking; }
  std::vector<std::string> roles() const;
  const CustomToken* token(std::string_view id) const;
  /// G193.
  void revoke_tokens(EpochMs now);

  static Account read(const Json& object);
  /// What is stored.
  JsonObject properties() const;
};

}  // namespace toa::gateway
