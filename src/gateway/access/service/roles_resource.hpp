#pragma once

#include "gateway/access/service/identity_access.hpp"
#include "gateway/tree/tree.hpp"

namespace toa::gateway {

/// `/identity/roles/` and `/identity/bans/`: what identities may (G186, G211–G213).
void add_roles_resources(Tree& tree, IdentityWorld world, IdentityAccess& access);

}  // namespace toa::gateway
