#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

#include "base/result.hpp"

namespace toa::bridge::node {

/// What to run.
struct Command {
  std::string file;  // searched for in PATH where it has no slash
  std::vector<std::string> arguments;
};

/// What the child is given, as our descriptors; all are above 9. `socket` may be -1.
struct Given {
  int out;
  int err;
  int socket;
};

/// Starts a process that has an empty input, its output, and a socket as descriptor 3
/// (TOA_BRIDGE_FD=3), and inherits nothing else; in a group of its own, with no signal blocked or
/// ignored. The system kills it when the calling thread ends, so call it on one that lasts. Safe
/// where other threads run. Fails as invalid where there is no such program.
Result<pid_t> spawn(const Command& command, const Given& given);

}  // namespace toa::bridge::node
