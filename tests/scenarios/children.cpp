#include "children.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "failed.hpp"

namespace toa::scenarios {
namespace {

using namespace std::chrono_literals;

std::vector<char*> raw(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const auto& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

void point_at(int descriptor, const char* file, int flags) {
  const int opened = ::open(file, flags, 0600);
  if (opened < 0) ::_exit(126);
  ::dup2(opened, descriptor);
  if (opened != descriptor) ::close(opened);
}

[[noreturn]] void become(const Spawning& spawning, char* const* arguments, char* const* variables) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::chdir(spawning.folder.c_str()) != 0) ::_exit(126);
  if (spawning.passed == 3) ::fcntl(3, F_SETFD, 0);
  if (spawning.passed > 3) ::dup2(spawning.passed, 3);
  point_at(STDIN_FILENO, "/dev/null", O_RDONLY);
  point_at(STDOUT_FILENO, spawning.out.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  point_at(STDERR_FILENO, spawning.err.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  ::execve(arguments[0], arguments, variables);
  ::_exit(127);
}

std::vector<pid_t> children_of(const std::string& process) {
  std::vector<pid_t> pids;
  std::ifstream in(fmt::format("/proc/{0}/task/{0}/children", process));
  for (pid_t pid = 0; in >> pid;) pids.push_back(pid);
  return pids;
}

void kill_below(const std::string& process) {
  for (const auto pid : children_of(process)) {
    kill_below(std::to_string(pid));
    ::kill(pid, SIGKILL);
  }
}

}  // namespace

void adopt_orphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

pid_t spawn(const Spawning& spawning) {
  const auto arguments = raw(spawning.arguments);
  const auto variables = raw(spawning.environment);
  const auto pid = ::fork();
  if (pid < 0) throw Failed{"no process can be started"};
  if (pid == 0) become(spawning, arguments.data(), variables.data());
  return pid;
}

Ended wait_for(pid_t pid, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  int status = 0;
  for (;;) {
    const auto got = ::waitpid(pid, &status, WNOHANG);
    if (got < 0 && errno != EINTR) throw Failed{fmt::format("process {} is not there", pid)};
    if (got == pid) break;
    if (std::chrono::steady_clock::now() > deadline)
      throw Failed{fmt::format("process {} did not end within {} ms", pid, patience.count())};
    std::this_thread::sleep_for(2ms);
  }
  if (WIFSIGNALED(status)) return {-1, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

void end_children() {
  // What is killed hands its own children to us, so this ends when there is nobody left.
  const auto self = std::to_string(::getpid());
  while (!children_of(self).empty()) {
    kill_below(self);
    ::waitpid(-1, nullptr, 0);
  }
}

}  // namespace toa::scenarios
