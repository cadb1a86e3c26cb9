#pragma once

#include "gateway/access/service/identity_access.hpp"
#include "gateway/tree/tree.hpp"

namespace toa::gateway {

/// `/identity/`: signing in, and signing up (G174–G177).
void add_self_resource(Tree& tree, IdentityWorld world, IdentityAccess& access);

}  // namespace toa::gateway
