#pragma once

#include <expected>
#include <optional>

#include "gateway/exchange.hpp"
#include "model/identity.hpp"

namespace toa::gateway {

/// The identity that the request's `idempotency-key` gives its call, per authority, caller, method
/// and path (D7, G98); nothing where it has no key. One that is too long is refused.
std::expected<std::optional<Identity>, Refused> identity_of(const Exchange& exchange);

}  // namespace toa::gateway
