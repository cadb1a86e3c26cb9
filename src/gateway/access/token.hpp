#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "gateway/access/permissions.hpp"

namespace toa::gateway {

/// What a token says of who carries it. Sealed, so that only the gateway reads and writes it.
struct Token {
  std::string authority;
  /// The application that gave it: keys may be shared, identities are not (G198).
  std::string application;
  std::string identity;
  std::vector<std::string> roles = {};
  /// The identity exists only here (G175).
  bool transient = false;
  EpochMs issued = 0;
  /// Nothing: never.
  std::optional<EpochMs> expires = {};
  /// Of a custom token: the id that it is revoked by (G192). Empty for others.
  std::string custom = {};
  std::shared_ptr<const Permissions> permissions = {};

  std::string text() const;
  static std::optional<Token> read(std::string_view text);
};

}  // namespace toa::gateway
