#pragma once

#include <cstdint>
#include <vector>

#include "manifest/application.hpp"

namespace toa::runtime {

/// The longest time for which a call of the application is remembered, in seconds.
std::int64_t longest_window_s(const manifest::Application& application);

/// The components whose objects are kept.
std::vector<ComponentId> kept_components(const manifest::Application& application);

}  // namespace toa::runtime
