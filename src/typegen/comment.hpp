#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"

namespace toa::typegen {

/// A text as a comment of its own lines, or nothing for an empty one.
std::string comment(std::string_view text, std::size_t indent);

/// What a schema says about itself.
std::string_view description_of(const Json& schema);

}  // namespace toa::typegen
