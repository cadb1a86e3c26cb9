#pragma once

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "model/names.hpp"

namespace toa {

/// An object as it is kept. `properties` is the JSON text of its declared properties; the rest are
/// the system ones. Times are milliseconds since the epoch; `deleted` is empty for one that is not.
struct Object {
  EntityId id;
  Version version;
  EpochMs created = 0;
  EpochMs updated = 0;
  std::optional<EpochMs> deleted;
  int region = 0;
  std::string properties;

  friend bool operator==(const Object&, const Object&) = default;
};

}  // namespace toa
