#pragma once

#include <string>
#include <vector>

#include "base/document.hpp"

namespace toa::gateway {

/// The members of these names of an object, or of each object of a list; anything else as it is. An
/// object is cut as the text that it is: most outputs are read by nobody on their way.
Document trimmed(const Document& document, const std::vector<std::string>& names);

}  // namespace toa::gateway
