#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// `map:segments: { prop: variable }`: a variable of the route as an input property; `~variable`
/// takes it from the query (G141).
std::unique_ptr<Directive> make_segments(const std::vector<Stated>& stated, MethodSite site);

}  // namespace toa::gateway
