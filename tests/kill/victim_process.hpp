#pragma once

#include <string>
#include <sys/types.h>

namespace toa::kill {

/// The program, in a process of its own, over a data folder that outlives it.
class VictimProcess {
 public:
  struct Options {
    /// Of `victim_plugs.hpp`.
    std::string storage;
    std::string data;
    /// The value of TOA_FAULT.
    std::string fault = {};
  };

  explicit VictimProcess(const Options& options);
  /// Kills what still runs.
  ~VictimProcess();
  VictimProcess(const VictimProcess&) = delete;
  VictimProcess& operator=(const VictimProcess&) = delete;

  /// Waits until it serves; false where it ended instead.
  bool wait_until_ready();
  void kill();
  /// Asks it to end.
  void stop();
  /// Waits for the end, and returns the status as `waitpid` has it.
  int wait();

  const std::string& socket() const { return socket_; }
  /// What it logged and complained of.
  std::string log() const;

 private:
  std::string log_file_;
  std::string socket_;
  int ready_ = -1;
  pid_t pid_ = -1;
};

}  // namespace toa::kill
