#pragma once

#include "gateway/exchange.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {

/// What discovery says of a method (G160–G163).
JsonObject describe(const Resource& resource, const Method& method);

/// Of a resource, its methods that this caller reaches; nothing where there is none (G158, G165).
std::optional<JsonObject> describe(const Resource& resource, const Exchange& exchange);

}  // namespace toa::gateway
