#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"
#include "control.hpp"

namespace toa::scenarios {

/// Why an answer is not what the keys `output`, `error`, `exception` … of a step expect; nothing
/// where it is. A step that names no outcome expects a value of any kind.
std::optional<std::string> outcome_mismatch(const JsonObject& expected, const Answer& answer);

/// The part of a value that a path such as `output.items.0.id` leads to. Throws Failed.
Json part_of(const Json& value, std::string_view path);

}  // namespace toa::scenarios
