#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manifest/problem.hpp"
#include "manifest/yaml.hpp"

namespace toa::manifest {

/// A manifest with everything that it inherits from prototypes of its author's put beneath. What is
/// inherited keeps its own file and line.
struct Inheriting {
  Yaml manifest;
  /// Absolute folders of its prototypes, nearest first.
  std::vector<std::string> prototypes;
  /// Whether the generic prototype is beneath all of them, or beneath this alone.
  bool generic = true;
};

/// The name of a component's manifest in its folder.
std::string manifest_file(const std::string& folder);

/// Follows `prototype` from the manifest of `folder`. What the component says itself wins: a key of
/// an operation, a property, a value of the blank; names in `required` and `errors` are added up.
/// Not inherited: the address, receivers, and what is built. Prototypes that are missing, broken,
/// or inherit from themselves are reported and left out.
Inheriting with_prototypes(const std::string& folder, Yaml own, std::vector<Problem>& problems);

}  // namespace toa::manifest
