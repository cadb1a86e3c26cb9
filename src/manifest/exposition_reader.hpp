#pragma once

#include <optional>
#include <string_view>

#include "manifest/section.hpp"
#include "manifest/written.hpp"

namespace toa::manifest {

/// The `exposition` of a manifest, or of the Context, for one environment (G1, G9). It may stand
/// under its long name, in `extensions` or `annotations` (G3); to have both is refused.
std::optional<Written> read_exposition(const Section& owner, std::string_view environment);

}  // namespace toa::manifest
