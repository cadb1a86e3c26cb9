#pragma once

#include <map>
#include <string>

#include "manifest/section.hpp"
#include "manifest/written.hpp"

namespace toa::manifest {

/// What the Context's `configuration` says of the gateway's own components (`identity.tokens`,
/// `identity.basic`), by the name of the component; also where they stand below one `identity`.
std::map<std::string, Written> read_identity(const std::optional<Section>& configuration);

/// Whether a key of `configuration` speaks of them.
bool is_of_identity(std::string_view key);

}  // namespace toa::manifest
