#pragma once

#include <chrono>
#include <string>

#include "spread.hpp"

namespace toa::bench {

/// How long an fdatasync takes on this disk after 4 KB were appended to a file in `folder`.
Spread measure_flushes(const std::string& folder, std::chrono::milliseconds duration);

}  // namespace toa::bench
