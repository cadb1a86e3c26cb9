#pragma once

#include <optional>
#include <vector>

#include "async/task.hpp"
#include "bridge/bridge.hpp"
#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "operation/steps/change.hpp"

namespace toa::operation {

/// Asks the component's guards about all that is about to be stored, in one run. Answers the
/// exception that a refusal is: EntityGuard, with the guard's name and the refused state (spec core
/// 8.1). A guard that throws is that exception. `caller` is the host of the run that waits for this
/// operation, where there is one.
Task<std::optional<Exception>> guard(bridge::Bridge& bridge, const manifest::Component& component,
                                     const std::vector<Change>& changes,
                                     const bridge::Host* caller);

}  // namespace toa::operation
