#pragma once

#include "base/result.hpp"
#include "manifest/application.hpp"
#include "runtime/settings.hpp"

namespace toa::runtime {

/// Reads, loads and judges the application without opening its data.
Result<manifest::Application> inspect(Settings settings);

}  // namespace toa::runtime
