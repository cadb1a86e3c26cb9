#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// `map:headers: { prop: header }`: a header as an input property (G140).
std::unique_ptr<Directive> make_headers(const std::vector<Stated>& stated, MethodSite site);

}  // namespace toa::gateway
