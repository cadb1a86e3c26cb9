#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"

namespace toa::gateway {

/// Reads one MessagePack value and nothing after it, as `json::parse` reads JSON: names of members
/// are texts and unique, integers stay within 2^53, numbers are finite, depth is bounded. Binary
/// and extensions have no counterpart in JSON and are refused, but for a timestamp, which becomes
/// an ISO date, and msgpackr's `undefined`, which becomes null.
Result<Json> parse_msgpack(std::string_view bytes);

/// The shortest form of each value.
std::string print_msgpack(const Json& value);

}  // namespace toa::gateway
