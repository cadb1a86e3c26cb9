#pragma once

#include <expected>
#include <optional>

#include "gateway/exchange.hpp"
#include "model/query.hpp"

namespace toa::gateway {

/// What the variables of a route, a query string and `if-match` select: the `query` of the call, as
/// a caller would write it; empty where there is none. What of them is input is put into the
/// exchange's (G45–G50, G62–G79, G115–G118).
std::expected<JsonObject, Refused> make_query_json(Exchange& exchange);

/// The same, read.
std::expected<std::optional<Query>, Refused> make_query(Exchange& exchange);

}  // namespace toa::gateway
