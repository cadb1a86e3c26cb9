#pragma once

#include <string>
#include <vector>

#include "model/reply.hpp"

namespace toa::operation {

/// The named properties of a reply; of each element where it is a list. What is no object stays as
/// it is.
Output trim(Output output, const std::vector<std::string>& names);

}  // namespace toa::operation
