#pragma once

#include <string>

#include "model/exception.hpp"

namespace toa::cli {

/// What whoever made the call can do about an exception, and the page that says more: the line
/// below the exception.
std::string advice(Code code);

}  // namespace toa::cli
