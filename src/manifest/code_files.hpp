#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/problem.hpp"

namespace toa::manifest {

/// A folder of a component whose files are code, each named as what it is the code of.
struct CodeFolder {
  std::string_view name;
  /// What a file that cannot be named so is told; empty where any name may stand.
  std::string_view misnomer;
};

/// The files directly in a folder of a component that hold code: name to absolute file. Reports
/// names that several files have, and those that cannot be.
std::map<std::string, std::string> code_files(const std::string& component, const CodeFolder& of,
                                              std::vector<Problem>& problems);

/// The same of a component and of its prototypes, of which the nearest wins. `folders` are the
/// component's own and theirs, nearest first.
std::map<std::string, std::string> code_files(const std::vector<std::string>& folders,
                                              const CodeFolder& of, std::vector<Problem>& problems);

/// What operations and events may be called: a letter, then letters, digits and underscores.
bool is_operation_name(std::string_view name);

}  // namespace toa::manifest
