#pragma once

#include <cstdint>

#include "manifest/read.hpp"

namespace toa::manifest {

/// Fills in the events of a component: those that it inherits, and those of its files, which win.
/// All files of a component go under one number (R209).
void read_events(Draft& draft, Component& component, std::uint32_t& next_number);

}  // namespace toa::manifest
