#include "async/socket.hpp"

#include <algorithm>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include "base/assert.hpp"

namespace toa {

void Socket::close() {
  if (open()) ::close(std::exchange(native_, -1));
}

Socket::Read Socket::read(std::span<char> into) {
  const auto size = ::recv(native_, into.data(), into.size(), MSG_DONTWAIT);
  if (size > 0) return {.bytes = static_cast<std::size_t>(size)};
  return {.ended = size == 0 || errno != EAGAIN};
}

std::optional<std::size_t> Socket::write(std::string_view bytes) {
  const auto size = ::send(native_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (size >= 0) return static_cast<std::size_t>(size);
  return errno == EAGAIN ? std::optional<std::size_t>(0) : std::nullopt;
}

void Socket::hold_nothing_back() {
  const int on = 1;
  ::setsockopt(native_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void Socket::end_writing() {
  ::shutdown(native_, SHUT_WR);
}

SocketWatch::SocketWatch() : native_(::epoll_create1(EPOLL_CLOEXEC)) {
  require(native_ >= 0, "no epoll can be made");
}

SocketWatch::~SocketWatch() {
  ::close(native_);
}

bool SocketWatch::add(const Socket& socket, void* whose) {
  epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.ptr = whose}};
  return ::epoll_ctl(native_, EPOLL_CTL_ADD, socket.native(), &event) == 0;
}

std::span<SocketWatch::Event> SocketWatch::take() {
  std::array<epoll_event, std::tuple_size_v<decltype(events_)>> happened;
  const int count = ::epoll_wait(native_, happened.data(), static_cast<int>(happened.size()), 0);
  const auto size = static_cast<std::size_t>(std::max(count, 0));
  for (std::size_t i = 0; i < size; ++i) {
    const bool ended = (happened[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    events_[i] = {happened[i].data.ptr, ended};
  }
  return std::span(events_).first(size);
}

}  // namespace toa
