#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <memory>
#include <span>

#include "async/asio_loop.hpp"
#include "async/socket.hpp"

namespace toa::gateway::http {

/// Whoever is told that something happened on a socket.
class Polled {
 public:
  /// Bytes came, or there is room for them again; `ended` where no more will come.
  virtual void happened(bool ended) = 0;

 protected:
  ~Polled() = default;
};

/// Watches sockets beneath the loop. To wait for the next request of a connection costs nothing
/// this way; each wait that Asio knows of is a system call. Loop thread.
class Poller : public std::enable_shared_from_this<Poller> {
 public:
  explicit Poller(AsioLoop& loop);
  ~Poller() { end(); }

  /// Tells `polled` once of whatever happens on `socket` from now on, until it is forgotten.
  bool add(const Socket& socket, Polled& polled);
  /// It is told nothing more; its socket must be closed by then.
  void forget(const Polled& polled);
  /// Nobody is told of anything more.
  void end();

 private:
  void wait();
  void tell();

  SocketWatch watch_;
  boost::asio::posix::stream_descriptor events_;
  /// What is being told.
  std::span<SocketWatch::Event> told_;
  bool waiting_ = false;
};

}  // namespace toa::gateway::http
