#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "async/asio_loop.hpp"
#include "async/task.hpp"
#include "base/result.hpp"
#include "bridge/node/descriptor.hpp"
#include "bridge/node/spawn.hpp"

namespace toa::bridge::node {

/// Whether a child is joined to us by a socket (its descriptor 3, named by TOA_BRIDGE_FD).
enum class Joined { no, by_socket };

/// How a process ended.
struct Exit {
  std::optional<int> status;
  std::optional<int> signal;
  /// `exit status 3`, `signal 6 (Aborted)`.
  std::string text() const;
};

/// A child process in a group of its own. Invariants: (1) it inherits its socket, its output pipes
/// and nothing else; no signal disposition or mask either; (2) it is reaped by `exited` alone, by
/// its id, so that children of others are left alone; (3) a signal reaches this process or none: it
/// is sent through a descriptor of the process; (4) the system kills it when the loop's thread
/// ends, however that ends. The program must not ignore SIGCHLD.
class Child {
 public:
  static Result<Child> start(AsioLoop& loop, const Command& command, Joined joined);

  /// Waits for the end. Awaited exactly once.
  Task<Exit> exited();
  void kill();

  pid_t pid() const { return pid_; }
  Descriptor& socket() { return *socket_; }
  Descriptor& out() { return out_; }
  Descriptor& err() { return err_; }

 private:
  Child(pid_t pid, Descriptor process, Descriptor out, Descriptor err,
        std::optional<Descriptor> socket);

  pid_t pid_;
  Descriptor process_;
  Descriptor out_;
  Descriptor err_;
  std::optional<Descriptor> socket_;
};

}  // namespace toa::bridge::node
