#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"

namespace toa {

using Json = boost::json::value;
using JsonObject = boost::json::object;
using JsonArray = boost::json::array;

namespace json {

struct ParseLimits {
  std::size_t bytes_max = limits::document_bytes_max;
  std::size_t depth_max = limits::document_depth_max;
};

/// Reads one JSON text and nothing after it. Refused, with the place: invalid UTF-8, duplicate
/// keys, nesting or size beyond the limits, integers beyond 2^53 and numbers that are no finite
/// double (JavaScript would change them silently). Doubles that hold an integer are read as
/// integers, so that equal numbers print alike.
Result<Json> parse(std::string_view text, ParseLimits limits = {});

/// Compact JSON text; doubles in the shortest form that reads back the same, as JavaScript prints
/// them; whole ones beyond 2^53 with an exponent, since `parse` would refuse their digits.
std::string print(const Json& value);
void print_to(std::string& out, const Json& value);
void print_string_to(std::string& out, std::string_view text);

/// The member, or nullptr where it is absent or `object` is none.
const Json* find(const Json& object, std::string_view key);

}  // namespace json
}  // namespace toa
