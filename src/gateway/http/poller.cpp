#include "gateway/http/poller.hpp"

#include <span>
#include <unistd.h>

#include "base/assert.hpp"

namespace toa::gateway::http {

using boost::system::error_code;

Poller::Poller(AsioLoop& loop) : epoll_(loop.context()) {
  const int made = ::epoll_create1(EPOLL_CLOEXEC);
  require(made >= 0, "no epoll can be made");
  epoll_.assign(made);
}

bool Poller::add(int socket, Polled& polled) {
  epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.ptr = &polled}};
  const bool added = ::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_ADD, socket, &event) == 0;
  if (added) wait();
  return added;
}

void Poller::close(int socket, const Polled& polled) {
  ::close(socket);
  for (auto& event : std::span(events_).first(count_)) {
    if (event.data.ptr == &polled) event.data.ptr = nullptr;
  }
}

void Poller::end() {
  error_code ignored;
  epoll_.close(ignored);
}

void Poller::wait() {
  if (waiting_ || !epoll_.is_open()) return;
  waiting_ = true;
  epoll_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                    [weak = weak_from_this()](const error_code& ec) {
                      const auto self = weak.lock();
                      if (!self) return;
                      self->waiting_ = false;
                      if (!ec) self->tell();
                    });
}

void Poller::tell() {
  const int count =
      ::epoll_wait(epoll_.native_handle(), events_.data(), static_cast<int>(events_.size()), 0);
  count_ = static_cast<std::size_t>(std::max(count, 0));
  for (std::size_t i = 0; i < count_; ++i) {
    const auto& event = events_[i];
    const bool ended = (event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    if (event.data.ptr != nullptr) static_cast<Polled*>(event.data.ptr)->happened(ended);
  }
  count_ = 0;
  wait();
}

}  // namespace toa::gateway::http
