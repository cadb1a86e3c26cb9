#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "async/asio_loop.hpp"
#include "async/task.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "gateway/http/parser.hpp"
#include "gateway/http/request.hpp"
#include "gateway/http/response.hpp"

namespace toa::gateway::http {

/// Answers requests, any number of them at once. Loop thread. Both live until the task has ended.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual Task<void> serve(const Request& request, Response& response) = 0;
};

struct Shared;

/// Serves HTTP/1.1 on one address: keep-alive, pipelining (requests of a connection are answered
/// one after the other), every wait and every buffer bounded. Loop thread.
class Server {
 public:
  Server(AsioLoop& loop, const Clock& clock, Handler& handler, Bounds bounds = {});
  ~Server();

  /// Listens; port 0 is any free one. Says which it is, or plainly why there is none.
  Result<std::uint16_t> listen(const std::string& host, std::uint16_t port);
  /// Takes no more requests; returns when those taken are answered and the answers are sent, or
  /// could not be within `limits::http_write_max`.
  Task<void> close();

  std::size_t connections() const;

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace toa::gateway::http
