#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toa::gateway {

struct Resource;

/// A segment of a path that the route leaves open; `**` is the name of what a wildcard's tail took.
struct Variable {
  /// The tree's own text.
  std::string_view name;
  std::string value;
  /// A directive used it up: it selects nothing (G141).
  bool taken = false;
};

struct Match {
  const Resource* resource = nullptr;
  std::vector<Variable> variables = {};
};

}  // namespace toa::gateway
