#pragma once

#include <string>
#include <string_view>

#include "manifest/application.hpp"

namespace toa::typegen {

/// `credit` → `Credit`, `pay-out` → `PayOut`.
std::string pascal(std::string_view name);

/// What a component's types are imported as within the application's: unlike that of any other
/// component.
std::string module_alias(const manifest::Component& component);

}  // namespace toa::typegen
