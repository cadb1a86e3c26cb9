#pragma once

#include <map>
#include <string>

#include "base/result.hpp"

namespace toa::runtime {

/// The `NAME=value` lines of a `.env` file; empty where there is none. Blank lines, `#` comments,
/// `export ` and matching quotes around a value are understood; another line is refused with its
/// number, never with its text.
Result<std::map<std::string, std::string>> read_dotenv(const std::string& file);

}  // namespace toa::runtime
