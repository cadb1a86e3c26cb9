#pragma once

#include <string>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "cli/literal.hpp"

namespace toa::cli {

/// All that is known of one remembered call, as `toa export inbox` prints it.
std::string remembered_details(const JsonObject& item, EpochMs now, LiteralStyle style);

}  // namespace toa::cli
