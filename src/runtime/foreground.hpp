#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/result.hpp"
#include "runtime/plugs.hpp"
#include "runtime/settings.hpp"

namespace toa::runtime {

/// Opens the application and serves it until SIGINT, SIGTERM or a stop through the control socket;
/// then lets work in progress finish, 45 s at most (R275). `ready` is told a line about the
/// application when it serves. A second signal ends the process at once, which costs nothing that
/// was acknowledged. Whoever holds the data folder and serves nothing (a `toa call` of its own) is
/// waited for, for as long as `patience`.
Result<void> run_in_foreground(Settings settings, const Plugs& plugs,
                               const std::function<void(const std::string&)>& ready,
                               std::chrono::milliseconds patience);

}  // namespace toa::runtime
