#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "manifest/section.hpp"
#include "scenario.hpp"

namespace toa::scenarios {

/// Checks one step against what its verb takes; reports what is wrong with it.
std::optional<Step> read_step(const manifest::Section& section);

/// `200ms`, `5s`, `2m`.
std::optional<std::chrono::milliseconds> duration(std::string_view text);

}  // namespace toa::scenarios
