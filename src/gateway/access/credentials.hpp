#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toa::gateway {

/// The two parts of an `authorization` header.
struct Authorization {
  std::string_view scheme;
  std::string_view text;

  /// Nothing where there are not two.
  static std::optional<Authorization> read(std::string_view header);
  /// In any case (G169).
  bool is(std::string_view scheme) const;
};

/// What `Basic` carries.
struct UserPassword {
  std::string username;
  std::string password;

  /// Nothing where it is not base64 of `username:password` in valid UTF-8, or longer than any may
  /// be. A password may contain colons.
  static std::optional<UserPassword> read(std::string_view base64);
};

/// Of base64url without padding, as paths have it.
std::optional<std::string> read_base64url(std::string_view text);

}  // namespace toa::gateway
