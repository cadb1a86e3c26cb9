#include "bridge/node/child.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/assert.hpp"
#include "bridge/node/spawn.hpp"

// The header of glibc 2.36 does not say that its functions are C's.
extern "C" {
#include <sys/pidfd.h>
}

namespace toa::bridge::node {
namespace {

// Above everything that the child is given, so that no descriptor is overwritten before it is moved
// to its place.
constexpr int descriptor_min = 10;

std::unexpected<Error> failed(std::string_view what) {
  return fail(ErrorKind::unavailable, fmt::format("{}: {}", what, std::strerror(errno)));
}

struct Pair {
  Fd ours;
  Fd theirs;
};

Fd moved_up(int fd) {
  const Fd low(fd);
  return Fd(::fcntl(low.get(), F_DUPFD_CLOEXEC, descriptor_min));
}

Result<Pair> made(std::span<const int, 2> fds) {
  Pair pair{moved_up(fds[0]), moved_up(fds[1])};
  if (pair.ours.get() < 0 || pair.theirs.get() < 0) return failed("cannot place a descriptor");
  if (::fcntl(pair.ours.get(), F_SETFL, O_NONBLOCK | O_RDWR) != 0) return failed("cannot unblock");
  return pair;
}

Result<Pair> make_pipe() {
  std::array<int, 2> fds{};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) return failed("cannot make a pipe");
  return made(fds);
}

Result<Pair> make_socket() {
  std::array<int, 2> fds{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0) {
    return failed("cannot make a socket pair");
  }
  return made(fds);
}

}  // namespace

std::string Exit::text() const {
  if (status) return fmt::format("exit status {}", *status);
  if (signal) return fmt::format("signal {} ({})", *signal, ::strsignal(*signal));
  return "an end that is not known";
}

Child::Child(pid_t pid, Descriptor process, Descriptor out, Descriptor err,
             std::optional<Descriptor> socket)
    : pid_(pid),
      process_(std::move(process)),
      out_(std::move(out)),
      err_(std::move(err)),
      socket_(std::move(socket)) {}

Result<Child> Child::start(AsioLoop& loop, const Command& command, Joined joined) {
  auto out = make_pipe();
  auto err = make_pipe();
  auto socket = joined == Joined::by_socket ? make_socket() : Pair{};
  for (const auto* made : {&out, &err, &socket}) {
    if (!*made) return std::unexpected(made->error());
  }
  const auto pid =
      spawn(command, {.out = out->theirs.get(),
                      .err = err->theirs.get(),
                      .socket = joined == Joined::by_socket ? socket->theirs.get() : -1});
  if (!pid) return std::unexpected(pid.error());

  Fd process(::pidfd_open(*pid, PIDFD_NONBLOCK));
  if (process.get() < 0) {
    const auto error = failed("cannot watch a process");
    ::kill(*pid, SIGKILL);
    ::waitpid(*pid, nullptr, 0);
    return error;
  }
  auto& context = loop.context();
  std::optional<Descriptor> joint;
  if (joined == Joined::by_socket) joint.emplace(context, std::move(socket->ours));
  return Child(*pid, Descriptor(context, std::move(process)),
               Descriptor(context, std::move(out->ours)), Descriptor(context, std::move(err->ours)),
               std::move(joint));
}

Task<Exit> Child::exited() {
  int status = 0;
  for (;;) {
    const bool ready = co_await process_.ready(Readiness::read);
    require(ready, "the descriptor of a process was closed while it was awaited");
    const auto reaped = ::waitpid(pid_, &status, WNOHANG);
    if (reaped == pid_) break;
    if (reaped < 0 && errno != EINTR) {
      process_.close();
      co_return Exit{};
    }
  }
  process_.close();
  if (WIFSIGNALED(status)) co_return Exit{.status = std::nullopt, .signal = WTERMSIG(status)};
  co_return Exit{.status = WEXITSTATUS(status), .signal = std::nullopt};
}

void Child::kill() {
  if (process_.open()) ::pidfd_send_signal(process_.native(), SIGKILL, nullptr, 0);
}

}  // namespace toa::bridge::node
