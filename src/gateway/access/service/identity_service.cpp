#include "gateway/access/service/identity_service.hpp"

#include "gateway/access/service/resources.hpp"

namespace toa::gateway {

Result<std::unique_ptr<IdentityService>> IdentityService::make(ServiceWorld world,
                                                               IdentitySettings settings,
                                                               std::optional<Bouncer> bouncer,
                                                               std::string application) {
  auto sealer = Sealer::make(settings.keys);
  if (!sealer) return std::unexpected(sealer.error());
  return std::unique_ptr<IdentityService>(new IdentityService(
      std::move(world), std::move(settings), bouncer, std::move(*sealer), std::move(application)));
}

IdentityService::IdentityService(ServiceWorld world, IdentitySettings settings,
                                 std::optional<Bouncer> bouncer, Sealer sealer,
                                 std::string application)
    : settings_(std::move(settings)),
      clock_(world.clock),
      log_(world.log),
      registry_(world.calls, world.clock, world.random),
      tokens_(std::move(sealer), std::move(application), settings_.tokens, world.clock),
      passwords_(world.loop, std::move(world.threads), settings_.passwords),
      access_(identity_world(), bouncer) {}

IdentityWorld IdentityService::identity_world() {
  return {.registry = registry_,
          .tokens = tokens_,
          .passwords = passwords_,
          .settings = settings_,
          .clock = clock_,
          .log = log_};
}

void IdentityService::add_resources(Tree& tree) {
  add_identity_resources(tree, identity_world(), access_);
}

}  // namespace toa::gateway
