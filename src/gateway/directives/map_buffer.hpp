#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// `map:buffer: prop`: the body as it came, as an input property (G145). Sets `Method::buffer`.
void make_buffer(const std::vector<Stated>& stated, MethodSite site);

}  // namespace toa::gateway
