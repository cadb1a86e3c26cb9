#pragma once

#include <utility>
#include <vector>

#include "model/migration.hpp"
#include "model/names.hpp"

namespace toa::storage {

/// What a storage has to know of a component before it keeps its objects.
struct Collection {
  ComponentId component;
  /// All that were ever declared, in the order in which they are applied.
  std::vector<Migration> migrations = {};

  // A component without migrations is its id.
  Collection(ComponentId id) : component(std::move(id)) {}
  Collection(ComponentId id, std::vector<Migration> declared)
      : component(std::move(id)), migrations(std::move(declared)) {}
};

}  // namespace toa::storage
