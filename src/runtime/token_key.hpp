#pragma once

#include <string>

#include "base/result.hpp"

namespace toa::runtime {

/// A new key to seal tokens with, as the Context's `identity.tokens.keys` takes it.
Result<std::string> new_token_key();

}  // namespace toa::runtime
