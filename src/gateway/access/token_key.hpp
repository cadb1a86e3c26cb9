#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace toa::gateway {

/// A symmetric key of 256 bits that tokens are encrypted with. Its text is base64url, 43
/// characters, as `toa key` prints it; it is a secret.
struct TokenKey {
  std::string id;
  std::string text;
};

/// A new key, from the system's source of secrets.
Result<std::string> new_token_key();

/// Whether a text is a key; the message never repeats it.
Result<void> check_token_key(const TokenKey& key);

}  // namespace toa::gateway
