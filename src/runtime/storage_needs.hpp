#pragma once

#include <cstdint>
#include <vector>

#include "manifest/application.hpp"
#include "storage/collection.hpp"

namespace toa::runtime {

/// The longest time for which a call of the application is remembered, in seconds.
std::int64_t longest_window_s(const manifest::Application& application);

/// What the storage has to know of the components whose objects are kept.
std::vector<storage::Collection> kept_components(const manifest::Application& application);

/// The same for who only looks at what is stored: migrations are applied by a start alone.
std::vector<storage::Collection> kept_as_they_are(const manifest::Application& application);

}  // namespace toa::runtime
