#pragma once

#include "manifest/read.hpp"

namespace toa::manifest {

/// Judges every receiver of a draft whose operations are judged already, and connects it with the
/// component that announces its event.
void judge_receivers(Draft& draft);

}  // namespace toa::manifest
