#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// `io:status: prop`: the status is that property of what `io:output` lets through, and leaves the
/// body (G135).
std::unique_ptr<Directive> make_status(const std::vector<Stated>& stated);

}  // namespace toa::gateway
