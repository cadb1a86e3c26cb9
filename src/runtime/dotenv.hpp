#pragma once

#include <map>
#include <string>

#include "base/result.hpp"

namespace toa::runtime {

/// The `NAME=value` lines of a `.env` file; empty where there is none. Blank lines, `#` comments,
/// `export ` and matching quotes around a value are understood; another line is refused with its
/// number, never with its text.
Result<std::map<std::string, std::string>> read_dotenv(const std::string& file);

/// Adds a line to a `.env` file, which only its owner may read from then on.
Result<void> add_to_dotenv(const std::string& file, const std::string& name,
                           const std::string& value);

}  // namespace toa::runtime
