#pragma once

#include "gateway/access/service/identity_access.hpp"
#include "gateway/tree/tree.hpp"

namespace toa::gateway {

/// `/identity/basic/` and `/identity/credentials/`: usernames and passwords (G178, G182–G184).
void add_basic_resources(Tree& tree, IdentityWorld world, IdentityAccess& access);

}  // namespace toa::gateway
