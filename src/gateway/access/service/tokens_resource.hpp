#pragma once

#include "gateway/access/service/identity_access.hpp"
#include "gateway/tree/tree.hpp"

namespace toa::gateway {

/// `/identity/tokens/` and `/identity/keys/`: tokens that an identity makes for others to use
/// (G192, G193).
void add_tokens_resources(Tree& tree, IdentityWorld world, IdentityAccess& access);

}  // namespace toa::gateway
