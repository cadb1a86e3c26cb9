#pragma once

#include <string>

namespace toa::typegen {

/// How a generated file begins: whose it is, and the names that every one uses. `core` is the way
/// to the declarations of `@toa.io/core/types`.
std::string head(const std::string& core);

}  // namespace toa::typegen
