#pragma once

#include "gateway/access/service/identity_access.hpp"
#include "gateway/tree/tree.hpp"

namespace toa::gateway {

/// Adds the gateway's own resources below `/identity/` to the routes of an application, whose own
/// stay where they are the same. They inherit nothing (G7) and are in no description. What they are
/// given outlives the tree.
void add_identity_resources(Tree& tree, IdentityWorld world, IdentityAccess& access);

}  // namespace toa::gateway
