#pragma once

#include <functional>
#include <memory>
#include <string>

#include "async/asio_loop.hpp"
#include "async/task.hpp"
#include "base/result.hpp"
#include "bridge/bridge.hpp"
#include "model/reply.hpp"
#include "model/request.hpp"
#include "runtime/inbox.hpp"
#include "runtime/parked.hpp"

namespace toa::runtime {

/// What the control socket gives access to. Loop thread.
class Controlled {
 public:
  virtual ~Controlled() = default;
  /// A reply that is a stream goes to `consumer` first.
  virtual Task<Reply> call(std::string endpoint, Request request, bridge::Consumer& consumer) = 0;
  virtual Json status() const = 0;
  virtual Task<Result<ParkedPage>> parked(ParkedRequest request) = 0;
  virtual Task<Result<InboxAnswer>> inbox(Identity identity) = 0;
  virtual void stop() = 0;
};

/// Serves the control socket (docs/formats/control.md): lines of JSON, any number of requests at
/// once on a connection, answers in the order in which they are ready. Only the user who runs the
/// application may connect (0600).
class ControlServer {
 public:
  ControlServer(AsioLoop& loop, Controlled& controlled);
  ~ControlServer();

  /// Listens; a leftover socket of an earlier process is replaced, which only the holder of the
  /// data folder may do.
  Result<void> listen(const std::string& path);
  /// Takes no more requests, and returns when those taken are answered.
  Task<void> close();

 private:
  class Connection;
  struct Shared;

  void accept();

  std::shared_ptr<Shared> shared_;
};

}  // namespace toa::runtime
