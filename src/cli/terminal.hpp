#pragma once

#include "cli/literal.hpp"

namespace toa::cli {

/// How to print to a descriptor: colours and its width where it is a terminal, plain on one line
/// where it is not.
LiteralStyle style_of(int descriptor);

/// Whether there is somebody who can be asked.
bool can_ask();

/// Asks on the terminal; whether the answer begins with `y`.
bool ask(const std::string& question);

}  // namespace toa::cli
