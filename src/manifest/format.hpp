#pragma once

#include <optional>
#include <string_view>

#include "base/json.hpp"

namespace toa::manifest {

/// The formats of a schema that are checked; any other word is an annotation.
enum class Format { none, date_time, epoch_millis };

Format format_of(std::string_view name);
std::string_view name(Format format);

/// Values of another type than the format speaks of fit.
bool fits(Format format, const Json& value);

}  // namespace toa::manifest
