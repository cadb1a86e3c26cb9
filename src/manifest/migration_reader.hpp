#pragma once

#include <string>
#include <vector>

#include "manifest/application.hpp"
#include "manifest/problem.hpp"
#include "model/migration.hpp"

namespace toa::manifest {

/// Reads `migrations/` of a component, after those of its prototypes (R187), in the order in which
/// they are applied. Whatever is wrong is reported under its file and line; of an index that is no
/// use, a warning says so.
std::vector<Migration> read_migrations(const Component& component, std::vector<Problem>& problems,
                                       std::vector<std::string>& warnings);

}  // namespace toa::manifest
