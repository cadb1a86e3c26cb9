#pragma once

#include <string>
#include <vector>

#include "manifest/application.hpp"
#include "manifest/read.hpp"
#include "manifest/section.hpp"

namespace toa::manifest {

/// Reports top-level keys of the Context that nobody knows, in any environment.
void refuse_unknown_parts(const Section& context);

/// Reads the Context, already resolved for its environment, but for `configuration`. Parts that
/// this release does not have are warned about.
Context read_context(const Section& context, const Variables& variables,
                     std::vector<std::string>& warnings);

/// Reads `events`, each of which a component that was read must have.
void read_announced(const Section& context, Application& application);

}  // namespace toa::manifest
