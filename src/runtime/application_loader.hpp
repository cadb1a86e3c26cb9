#pragma once

#include "async/task.hpp"
#include "base/result.hpp"
#include "bridge/bridge.hpp"
#include "manifest/application.hpp"
#include "runtime/settings.hpp"

namespace toa::runtime {

/// Reads the manifests, has the bridge load the code, and judges both together. Fails with every
/// problem of all of them, one per line with file and line.
Task<Result<manifest::Application>> load_application(const Settings& settings,
                                                     bridge::Bridge& bridge);

}  // namespace toa::runtime
