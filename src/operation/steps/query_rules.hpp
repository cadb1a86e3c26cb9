#pragma once

#include <optional>

#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/request.hpp"

namespace toa::operation {

/// Whether the operation accepts what the request selects, or that it selects nothing (spec core
/// 6.5). Asks for no schema: paths and values are `selection_of`'s.
std::optional<Exception> check_query(const manifest::Operation& operation, const Request& request);

}  // namespace toa::operation
