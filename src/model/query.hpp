#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "model/names.hpp"

namespace toa {

/// What a request selects (spec core 6.3).
struct Query {
  std::optional<EntityId> id;
  std::optional<Version> version;
  std::optional<std::vector<std::string>> projection;
  /// Also objects that are marked deleted.
  bool deleted = false;

  /// Refuses what is not a query, with a sentence that names the property.
  static Result<Query> read(const Json& value);
  /// What `read` reads as this query.
  Json print() const;
};

}  // namespace toa
