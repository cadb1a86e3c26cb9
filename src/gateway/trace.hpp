#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/random.hpp"
#include "gateway/http/request.hpp"

namespace toa::gateway {

/// The trace that a request belongs to, 32 hex digits in lower case: of its `traceparent`, else of
/// its `ray`, else a new one. What is neither is passed over (G150).
std::string trace_of(const http::Request& request, Random& random);

}  // namespace toa::gateway
