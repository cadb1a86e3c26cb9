#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"

namespace toa::scenarios {

enum class Match {
  partly,  // of a map, the members that are named
  wholly,
};

/// Why `found` is not what was expected, with the place; nothing where it is.
std::optional<std::string> mismatch(const Json& expected, const Json& found, Match match);

/// Why a printed text is not what was expected: a text (line breaks at its end apart), a
/// `/pattern/` found in it, or a list with one of these per line.
std::optional<std::string> text_mismatch(const Json& expected, const std::string& found);

}  // namespace toa::scenarios
