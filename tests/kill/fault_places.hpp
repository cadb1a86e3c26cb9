#pragma once

#include <set>
#include <string>

namespace toa::kill {

/// The named fault points, as the sources under `folder` reach them: one that is added is drilled
/// from then on. Without those of migrations, which no load reaches.
std::set<std::string> fault_places(const std::string& folder);

}  // namespace toa::kill
