#pragma once

#include <string_view>

#include "base/result.hpp"
#include "manifest/application.hpp"

namespace toa::gateway {

/// Endpoints of the components that keep identities.
namespace identity_endpoint {
inline constexpr std::string_view observe_account = "identity.accounts.observe";
inline constexpr std::string_view transit_account = "identity.accounts.transit";
inline constexpr std::string_view observe_username = "identity.usernames.observe";
inline constexpr std::string_view transit_username = "identity.usernames.transit";
}  // namespace identity_endpoint

/// Adds the components that keep identities to an application: ordinary ones, with the operations
/// that any component inherits. Refuses one that has a component of this namespace itself.
///
/// `identity.accounts` keeps everything of one identity under its id, so that a change of its
/// password, its roles or its custom tokens is one commit. `identity.usernames` keeps whose a
/// username is, under an id made of authority and username, so that one has one owner.
Result<void> add_identity_components(manifest::Application& application);

}  // namespace toa::gateway
