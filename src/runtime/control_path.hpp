#pragma once

#include <string>

#include "base/result.hpp"

namespace toa::runtime {

/// Where the control socket of a data folder is: `<data>/control.sock`, or, where that is longer
/// than a socket's name may be, a name made from it in the user's runtime directory
/// (XDG_RUNTIME_DIR, else a folder of the user's own in /tmp, made on demand).
Result<std::string> control_path(const std::string& data);

}  // namespace toa::runtime
