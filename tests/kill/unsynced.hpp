#pragma once

namespace toa::kill {

/// A mutant: from now on every SQLite connection of this process has `synchronous = OFF`, whatever
/// it is told.
void forget_to_sync();

}  // namespace toa::kill
