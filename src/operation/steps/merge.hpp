#pragma once

#include "base/json.hpp"

namespace toa::operation {

/// The state with the input's own properties over it, one level deep; null is stored as null.
JsonObject merge(const JsonObject& state, const JsonObject& input);

}  // namespace toa::operation
