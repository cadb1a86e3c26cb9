#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// `io:output`: `true`, `false` or a list of properties; what is stated further out and further in
/// is let through only where both let it (G129–G132). Nothing where nothing is let through.
std::unique_ptr<Directive> make_output(const std::vector<Stated>& stated);

}  // namespace toa::gateway
