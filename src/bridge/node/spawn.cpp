#include "bridge/node/spawn.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace toa::bridge::node {
namespace {

constexpr int socket_in_child = 3;
constexpr int exit_unable = 127;

std::vector<std::string> environment(const Given& given) {
  constexpr std::string_view name = "TOA_BRIDGE_FD=";
  std::vector<std::string> out;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with(name)) out.emplace_back(*variable);
  }
  if (given.socket >= 0) out.push_back(fmt::format("{}{}", name, socket_in_child));
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// All that the child needs, made before it exists: it shares our memory, and may not allocate.
struct Plan {
  const char* file;
  char* const* arguments;
  char* const* variables;
  Given given;
  pid_t parent;
  volatile int error;
};

bool give(const Given& given) {
  const int input = ::open("/dev/null", O_RDONLY);
  if (input < 0 || ::dup2(input, STDIN_FILENO) < 0) return false;
  if (::dup2(given.out, STDOUT_FILENO) < 0 || ::dup2(given.err, STDERR_FILENO) < 0) return false;
  const bool joined = given.socket >= 0;
  if (joined && ::dup2(given.socket, socket_in_child) < 0) return false;
  return ::close_range(joined ? socket_in_child + 1 : socket_in_child, ~0U, 0) == 0;
}

void forget_signals() {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// In the child, on the memory of the parent, whose thread waits: only calls to the system, and
// nothing may be unwound.
[[noreturn, gnu::noinline]] void become(Plan& plan) {
  ::setpgid(0, 0);
  const bool bound = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == plan.parent;
  if (bound && give(plan.given)) {
    forget_signals();
    ::execvpe(plan.file, plan.arguments, plan.variables);
  }
  plan.error = errno;
  ::_exit(exit_unable);
}

// Signals are blocked meanwhile: a handler of ours must not run in the child.
[[gnu::noinline]] pid_t start(Plan& plan) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::vfork();
  if (pid == 0) become(plan);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) plan.error = error;
  return pid;
}

}  // namespace

Result<pid_t> spawn(const Command& command, const Given& given) {
  std::vector<std::string> texts{command.file};
  texts.insert(texts.end(), command.arguments.begin(), command.arguments.end());
  auto variables = environment(given);
  const auto arguments = pointers(texts);
  const auto variable_pointers = pointers(variables);
  Plan plan{.file = command.file.c_str(),
            .arguments = arguments.data(),
            .variables = variable_pointers.data(),
            .given = given,
            .parent = ::getpid(),
            .error = 0};
  const auto pid = start(plan);
  if (plan.error == 0) return pid;
  if (pid > 0) ::waitpid(pid, nullptr, 0);
  const bool absent = plan.error == ENOENT || plan.error == EACCES;
  return fail(absent ? ErrorKind::invalid : ErrorKind::unavailable,
              fmt::format("'{}': {}", command.file, std::strerror(plan.error)));
}

}  // namespace toa::bridge::node
