#pragma once

#include <map>
#include <string>
#include <vector>

#include "manifest/problem.hpp"

namespace toa::manifest {

/// The files directly in `operations/` of a component that hold code: operation to absolute file.
/// Reports names that several files have, and those that no operation can have.
std::map<std::string, std::string> operation_files(const std::string& component,
                                                   std::vector<Problem>& problems);

/// A letter, then letters, digits and underscores.
bool is_operation_name(std::string_view name);

}  // namespace toa::manifest
