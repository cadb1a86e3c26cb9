#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manifest/problem.hpp"
#include "manifest/yaml.hpp"

namespace toa::manifest {

/// Reads a YAML file, or reports why it cannot.
std::optional<Yaml> load_yaml(const std::string& file, std::vector<Problem>& problems);

}  // namespace toa::manifest
