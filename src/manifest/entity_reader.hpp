#pragma once

#include <string>

#include "manifest/application.hpp"
#include "manifest/section.hpp"

namespace toa::manifest {

/// Reads `entity` of a manifest.
Entity read_entity(const Section& section);

}  // namespace toa::manifest
