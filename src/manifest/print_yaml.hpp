#pragma once

#include <string>

#include "base/json.hpp"

namespace toa::manifest {

/// A value as block-style YAML, as people write manifests; it reads back as the same value.
std::string print_yaml(const Json& value);

}  // namespace toa::manifest
