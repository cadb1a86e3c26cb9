#pragma once

#include <optional>
#include <string>

#include "base/document.hpp"
#include "model/object.hpp"

namespace toa::operation {

/// What events of a change are evaluated from: JSON text of `{ origin, state, trailers, input }`
/// (R46). `origin` is null where the object did not exist.
std::string change_of(const Object& before, const Object& after,
                      const std::optional<Document>& trailers,
                      const std::optional<Document>& input);

}  // namespace toa::operation
