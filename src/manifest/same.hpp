#pragma once

#include "base/json.hpp"

namespace toa::manifest {

/// Whether two values are equal as JSON Schema has it: `1` and `1.0` are, and the order of members
/// is nothing.
bool same(const Json& a, const Json& b);

/// Whether no two items are the same.
bool all_different(const JsonArray& items);

}  // namespace toa::manifest
