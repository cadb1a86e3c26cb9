#pragma once

#include <string>
#include <vector>

#include "manifest/section.hpp"

namespace toa::manifest {

/// A part of a file that others give its meaning, kept with the lines that it stands on.
struct Written {
  std::string file;
  std::string key;
  /// A map with nothing but the part, under its key.
  Yaml yaml;

  /// For reading it; what is wrong goes to `problems`. Must not outlive either.
  Section section(std::vector<Problem>& problems) const {
    return *Section(file, yaml, problems).find(key);
  }
};

}  // namespace toa::manifest
