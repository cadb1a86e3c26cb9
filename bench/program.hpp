#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

#include "spread.hpp"

namespace toa::bench {

/// A command that ran to its end.
struct Ran {
  int code = -1;
  Nanoseconds took{};
  std::string output;
};

/// Runs a program with these arguments and waits for it; its standard output is kept, the rest
/// passes through.
Ran run(const std::string& program, const std::vector<std::string>& arguments);

/// An application in the background, from `toa start` to `toa stop`. Ends the benchmark where it
/// does not start.
class Application {
 public:
  Application(std::string toa, std::string path, std::string data);
  ~Application();
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  /// From the command to its return, when the application is ready.
  Nanoseconds start_took() const { return start_took_; }
  pid_t pid() const { return pid_; }
  /// Where it serves HTTP; 0 where nothing of it is exposed.
  std::uint16_t port() const { return port_; }
  /// The path of its control socket.
  std::string socket() const;
  Ran call(const std::string& endpoint, const std::string& request) const;

 private:
  std::string toa_, path_, data_;
  Nanoseconds start_took_{};
  pid_t pid_ = 0;
  std::uint16_t port_ = 0;
};

}  // namespace toa::bench
