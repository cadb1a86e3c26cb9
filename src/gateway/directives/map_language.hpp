#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// `map:language: prop`: the best of `map:languages` for the client, as an input property (G142).
std::unique_ptr<Directive> make_language(const std::vector<Stated>& stated, MethodSite site);

}  // namespace toa::gateway
