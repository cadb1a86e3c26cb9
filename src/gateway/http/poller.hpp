#pragma once

#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstddef>
#include <memory>
#include <sys/epoll.h>

#include "async/asio_loop.hpp"

namespace toa::gateway::http {

/// Whoever is told that something happened on a socket.
class Polled {
 public:
  /// Bytes came, or there is room for them again; `ended` where no more will come.
  virtual void happened(bool ended) = 0;

 protected:
  ~Polled() = default;
};

/// Watches sockets for the loop, through an epoll of its own beneath the loop's. To wait for the
/// next request of a connection costs nothing this way; each wait that Asio knows of is a system
/// call. Loop thread.
class Poller : public std::enable_shared_from_this<Poller> {
 public:
  explicit Poller(AsioLoop& loop);

  /// Tells `polled` once of whatever happens on `socket` from now on, until it is removed.
  bool add(int socket, Polled& polled);
  /// Closes the socket; `polled` is told nothing more.
  void close(int socket, const Polled& polled);
  /// The loop may end.
  void end();

 private:
  void wait();
  void tell();

  boost::asio::posix::stream_descriptor epoll_;
  /// What is being told.
  std::array<epoll_event, 256> events_{};
  std::size_t count_ = 0;
  bool waiting_ = false;
};

}  // namespace toa::gateway::http
