#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// `io:input: [a, b]`: no other property may be sent (G133, G134).
std::unique_ptr<Directive> make_input(const std::vector<Stated>& stated, MethodSite site);

}  // namespace toa::gateway
