#pragma once

#include <cstdint>

#include "manifest/read.hpp"

namespace toa::manifest {

/// Fills in what a component has in guards/ and in rc/, its own files and those of its prototypes.
/// All files of one folder go under one number.
void read_guards(Draft& draft, Component& component, std::uint32_t& next_number);
void read_commands(Draft& draft, Component& component, std::uint32_t& next_number);

}  // namespace toa::manifest
