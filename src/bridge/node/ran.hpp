#pragma once

#include <string_view>

#include "bridge/bridge.hpp"
#include "bridge/node/incoming.hpp"

namespace toa::bridge::node {

/// What a run came to, its documents checked. A document that is no JSON as the runtime has it (an
/// integer beyond 2^53, too deep) makes it an exception that names `operation` and the problem.
Ran ran_of(DoneMessage done, std::string_view operation);

/// Checks a text that came from a worker.
Result<Document> checked(std::string text);

}  // namespace toa::bridge::node
