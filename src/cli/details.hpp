#pragma once

#include <string>
#include <string_view>

#include "base/clock.hpp"

/// Words of the commands that print all that is known of one thing.
namespace toa::cli {

/// A span of time in its largest unit: `45s`, `3m`, `7h`, `12d`.
std::string age(EpochMs span);

/// `2026-12-01 09:30:00 UTC`
std::string moment(EpochMs at);

/// A line: the label, then the text in its column.
std::string labelled(std::string_view label, const std::string& text);

}  // namespace toa::cli
