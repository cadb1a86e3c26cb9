#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace toa::manifest {

/// What an unquoted YAML scalar means: null, a boolean, a number, else itself as text. 32 hex
/// digits are text (an id). Refused with a sentence: numbers that would change on their way (beyond
/// 2^53, infinite, not a number).
std::expected<Json, std::string> plain_scalar(std::string_view text);

}  // namespace toa::manifest
