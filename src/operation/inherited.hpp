#pragma once

#include <optional>

#include "base/clock.hpp"
#include "base/document.hpp"
#include "bridge/bridge.hpp"
#include "manifest/application.hpp"

namespace toa::operation {

/// What an operation that every component with an entity inherits comes to (spec core 7), without
/// any code: as if it had run with this state and this input.
bridge::Returned run_inherited(manifest::Inherited what, const std::optional<Document>& state,
                               const std::optional<Document>& input, EpochMs now);

}  // namespace toa::operation
