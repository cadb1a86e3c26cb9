#include "bridge/node/channel.hpp"

#include <array>
#include <cerrno>
#include <string_view>
#include <sys/socket.h>
#include <sys/uio.h>

namespace toa::bridge::node {
namespace {

/// Suspends the writer until something is sent.
struct Idle {
  std::coroutine_handle<>& waiting;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) { waiting = handle; }
  void await_resume() const {}
};

}  // namespace

Outbox& Channel::send() {
  if (idle_) loop_.resume_soon(std::exchange(idle_, nullptr));
  return outbox_;
}

void Channel::close() {
  closed_ = true;
  if (idle_) loop_.resume_soon(std::exchange(idle_, nullptr));
}

Task<void> Channel::write() {
  while (!closed_) {
    if (outbox_.empty()) {
      co_await Idle{idle_};
      continue;
    }
    if (!co_await write_frame(outbox_.take())) co_return;
  }
}

Task<bool> Channel::write_frame(Outbox::Frame frame) {
  const auto size = frame.prefix.size() + frame.head.size() + frame.body.size();
  std::size_t written = 0;
  for (;;) {
    unwritten_ = size - written;
    const auto progress = write_some(frame, written);
    if (progress == Progress::gone) co_return false;
    if (written == size) break;
    if (progress == Progress::done) continue;
    const bool ready = co_await socket_.ready(Readiness::write);
    if (!ready) co_return false;
  }
  unwritten_ = 0;
  co_return true;
}

Channel::Progress Channel::write_some(const Outbox::Frame& frame, std::size_t& written) {
  if (!socket_.open()) return Progress::gone;
  std::array<iovec, 3> parts{};
  std::size_t used = 0;
  std::size_t skip = written;
  for (const std::string_view part : {std::string_view(frame.prefix.data(), frame.prefix.size()),
                                      std::string_view(frame.head), std::string_view(frame.body)}) {
    const auto skipped = std::min(skip, part.size());
    skip -= skipped;
    if (skipped == part.size()) continue;
    // sendmsg only reads what the pointer names.
    parts[used++] = {const_cast<char*>(part.data() + skipped), part.size() - skipped};
  }
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = used;
  const auto sent = ::sendmsg(socket_.native(), &message, MSG_NOSIGNAL);
  if (sent >= 0) {
    written += static_cast<std::size_t>(sent);
    return Progress::done;
  }
  if (errno == EINTR) return Progress::done;
  return errno == EAGAIN || errno == EWOULDBLOCK ? Progress::waits : Progress::gone;
}

}  // namespace toa::bridge::node
