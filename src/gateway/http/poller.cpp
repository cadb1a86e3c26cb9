#include "gateway/http/poller.hpp"

namespace toa::gateway::http {

using boost::asio::posix::stream_descriptor;

Poller::Poller(AsioLoop& loop) : events_(loop.context(), watch_.native()) {}

bool Poller::add(const Socket& socket, Polled& polled) {
  const bool added = watch_.add(socket, &polled);
  if (added) wait();
  return added;
}

void Poller::forget(const Polled& polled) {
  for (auto& event : told_) {
    if (event.whose == &polled) event.whose = nullptr;
  }
}

void Poller::end() {
  // The watch owns the descriptor.
  if (events_.is_open()) events_.release();
}

void Poller::wait() {
  if (waiting_ || !events_.is_open()) return;
  waiting_ = true;
  events_.async_wait(stream_descriptor::wait_read,
                     [weak = weak_from_this()](const boost::system::error_code& ec) {
                       const auto self = weak.lock();
                       if (!self) return;
                       self->waiting_ = false;
                       if (!ec) self->tell();
                     });
}

void Poller::tell() {
  told_ = watch_.take();
  for (const auto& event : told_) {
    if (event.whose != nullptr) static_cast<Polled*>(event.whose)->happened(event.ended);
  }
  told_ = {};
  wait();
}

}  // namespace toa::gateway::http
