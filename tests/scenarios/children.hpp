#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

namespace toa::scenarios {

struct Spawning {
  std::vector<std::string> arguments;  // the program's path first
  std::vector<std::string> environment;
  std::string folder;
  std::string out;  // files that take what it prints
  std::string err;
  int passed = -1;  // a descriptor that becomes the child's 3
};

/// How a process ended: its exit code, or the signal that ended it.
struct Ended {
  int exit = -1;
  int signal = 0;
};

/// From now on, processes whose parent ended become children of this one, so that `end_children`
/// reaches all that was started here, also in the background.
void adopt_orphans();

/// Starts a program. It is killed when this process dies.
pid_t spawn(const Spawning& spawning);

/// Waits for a child; throws Failed when it takes longer.
Ended wait_for(pid_t pid, std::chrono::milliseconds patience);

/// Kills every process that descends from this one, and waits until they are gone.
void end_children();

}  // namespace toa::scenarios
