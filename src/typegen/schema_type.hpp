#pragma once

#include <string>

#include "base/json.hpp"

namespace toa::typegen {

/// The TypeScript type of the values that fit a JSON Schema, as wide as it has to be where
/// TypeScript cannot say it: `unknown` at the widest. `indent` is how many spaces the lines of a
/// type that takes several begin with.
std::string schema_type(const Json& schema, std::size_t indent = 0);

/// A text as a TypeScript literal.
std::string literal(std::string_view text);

/// A name as it stands in front of a colon: quoted where it is no identifier.
std::string property_name(std::string_view name);

}  // namespace toa::typegen
