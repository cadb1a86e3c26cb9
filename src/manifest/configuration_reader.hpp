#pragma once

#include <optional>

#include "manifest/application.hpp"
#include "manifest/read.hpp"
#include "manifest/section.hpp"

namespace toa::manifest {

/// Reads `configuration` of a manifest: `schema` and `defaults`, over which goes what the Context
/// states for the component, with each `$NAME` in it replaced by that variable. What comes out must
/// fit the schema.
std::optional<Configuration> read_configuration(const Section& declared,
                                                const std::optional<Section>& stated,
                                                const Variables& variables);

}  // namespace toa::manifest
