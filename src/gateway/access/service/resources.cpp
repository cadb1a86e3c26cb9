#include "gateway/access/service/resources.hpp"

#include "gateway/access/service/basic_resource.hpp"
#include "gateway/access/service/roles_resource.hpp"
#include "gateway/access/service/self_resource.hpp"
#include "gateway/access/service/tokens_resource.hpp"

namespace toa::gateway {

void add_identity_resources(Tree& tree, IdentityWorld world, IdentityAccess& access) {
  add_self_resource(tree, world, access);
  add_basic_resources(tree, world, access);
  add_roles_resources(tree, world, access);
  add_tokens_resources(tree, world, access);
}

}  // namespace toa::gateway
