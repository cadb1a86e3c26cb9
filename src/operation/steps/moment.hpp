#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "manifest/application.hpp"

namespace toa::operation {

/// An ISO 8601 date and time with its zone (`2026-02-03T04:05:06.789+01:00`), or nothing where
/// `text` is none.
std::optional<EpochMs> parse_moment(std::string_view text);

/// `2026-02-03T03:05:06.789Z`.
std::string print_moment(EpochMs moment);

/// Writes the moments among `properties` in one form, so that their texts sort as the times do.
/// Answers what is wrong with the first that is no moment.
std::optional<std::string> normalise_moments(const std::vector<manifest::Moment>& moments,
                                             JsonObject& properties);

}  // namespace toa::operation
