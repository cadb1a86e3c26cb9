#pragma once

#include <string>
#include <vector>

#include "gateway/access/service/identity_access.hpp"
#include "gateway/tree/tree.hpp"

namespace toa::gateway {

/// What the parts that know identities need from outside. All of it outlives the service.
struct ServiceWorld {
  Calls& calls;
  Loop& loop;
  /// What passwords are hashed on.
  std::vector<Executor*> threads;
  const Clock& clock;
  Random& random;
  telemetry::Log& log;
};

/// Everything that knows identities, put together: who asks, and the resources below `/identity/`.
class IdentityService {
 public:
  /// The settings have all their keys. `application` is the name that tokens are bound to.
  static Result<std::unique_ptr<IdentityService>> make(ServiceWorld world,
                                                       IdentitySettings settings,
                                                       std::optional<Bouncer> bouncer,
                                                       std::string application);

  Access& access() { return access_; }
  void add_resources(Tree& tree);

 private:
  IdentityService(ServiceWorld world, IdentitySettings settings, std::optional<Bouncer> bouncer,
                  Sealer sealer, std::string application);
  IdentityWorld identity_world();

  IdentitySettings settings_;
  const Clock& clock_;
  telemetry::Log& log_;
  Registry registry_;
  Tokens tokens_;
  Passwords passwords_;
  IdentityAccess access_;
};

}  // namespace toa::gateway
