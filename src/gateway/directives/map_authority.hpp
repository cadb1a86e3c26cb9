#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// `map:authority: prop`: the name of the authority, as an input property (G143).
std::unique_ptr<Directive> make_authority(const std::vector<Stated>& stated, MethodSite site);

}  // namespace toa::gateway
