#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/json.hpp"
#include "model/object.hpp"
#include "model/query.hpp"
#include "model/selection.hpp"

namespace toa::operation {

/// Where in a stream of objects its next page begins: after the last object that was read. The
/// code that reads the stream hands it back as it got it.
struct Place {
  std::int64_t taken = 0;
  EntityId id = EntityId("");
  EpochMs created = 0;

  Json print() const;
  /// Nothing where this is no place.
  static std::optional<Place> read(const Json& value);
};

/// Whether the order is one in which a page can begin at an object, wherever others come and go
/// meanwhile: by `id` or by CREATED (spec core 6.7). In any other order a page begins after so
/// many.
bool is_steady(const std::vector<Sort>& sort);

/// The objects of `whole` that come after `place`, as many as one page holds at most.
Selection page_after(const Selection& whole, const std::optional<Place>& place);

/// The place after `last`, the object of a page that begins at `before` and has `count` objects.
Place place_after(const std::optional<Place>& before, const Object& last, std::int64_t count);

}  // namespace toa::operation
