#pragma once

#include <string>
#include <string_view>

#include "gateway/tree/query_rules.hpp"

namespace toa::gateway {

/// `name==value`, quoted so that the value is one, whatever is in it.
std::string equals(std::string_view name, std::string_view value);

/// The conditions of a route's variables with its criteria: `(variables);(criteria)`, or with a
/// comma (G75).
std::string join_route(const std::string& variables, const QueryRules& rules);

/// Whether a client's criteria end all that they begin, so that what stands around them still does.
bool is_self_contained(std::string_view criteria);

/// The same with what a client states: `(route);(client)` (G74).
std::string join_client(const std::string& route, std::string_view client);

}  // namespace toa::gateway
