#include "gateway/http/server.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "gateway/http/connection.hpp"

namespace toa::gateway::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

std::string explain(const std::string& host, std::uint16_t port, const error_code& ec) {
  const auto where = fmt::format("{}:{}", host, port);
  if (ec == asio::error::address_in_use) {
    return fmt::format(
        "port {} of {} is in use by another program: stop that, or choose another port", port,
        host);
  }
  if (ec == asio::error::access_denied)
    return fmt::format("{} may not be listened on: ports below 1024 are for the system", where);
  return fmt::format("{} cannot be listened on: {}", where, ec.message());
}

}  // namespace

std::string_view Shared::date() {
  constexpr EpochMs second = 1'000;
  const auto now = clock.now() / second;
  if (now != date_second) {
    date_second = now;
    date_text = http_date(now);
  }
  return date_text;
}

void Shared::left(Connection& connection) {
  connections.erase(&connection);
  if (closing && connections.empty()) emptied.complete(true);
}

void Shared::gather(std::shared_ptr<Connection> answered) {
  gathered.push_back(std::move(answered));
  if (gathered.size() >= limits::http_gathered_connections_max) return go_on_with_gathered();
  if (gathered.size() > 1) return;
  loop.post([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->go_on_with_gathered();
  });
}

void Shared::go_on_with_gathered() {
  const auto connections_of_turn = std::exchange(gathered, {});
  for (const auto& connection : connections_of_turn) connection->process();
}

void Shared::accept() {
  acceptor.async_accept([self = shared_from_this()](const error_code& ec, tcp::socket socket) {
    if (ec == asio::error::operation_aborted || self->closing) return;
    if (ec) {
      // No descriptor is left: connections wait in the system's queue until one is.
      self->loop.after(limits::http_accept_pause, [self] {
        if (!self->closing) self->accept();
      });
      return;
    }
    self->take(std::move(socket));
    self->accept();
  });
}

void Shared::take(tcp::socket socket) {
  if (connections.size() >= limits::http_connections_max) {
    // Who has waited longest between two requests expects the least of us.
    if (idle.empty()) return;
    idle.front()->abort();
  }
  error_code ec;
  const auto released = socket.release(ec);
  if (!ec) std::make_shared<Connection>(shared_from_this(), released)->start();
}

void Shared::sweep() {
  loop.after(limits::http_sweep, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self || self->connections.empty()) {
      if (self && !self->closing) self->sweep();
      return;
    }
    const auto now = self->clock.steady();
    std::vector<Connection*> late;
    for (auto* connection : self->connections) {
      if (connection->overdue(now)) late.push_back(connection);
    }
    for (auto* connection : late) connection->abort();
    self->sweep();
  });
}

Server::Server(AsioLoop& loop, const Clock& clock, Handler& handler, Bounds bounds)
    : shared_(std::make_shared<Shared>(loop, clock, handler, bounds)) {}

Server::~Server() {
  const auto open = shared_->connections;
  for (auto* connection : open) connection->abort();
  shared_->gathered.clear();
  shared_->poller->end();
}

std::size_t Server::connections() const {
  return shared_->connections.size();
}

Result<std::uint16_t> Server::listen(const std::string& host, std::uint16_t port) {
  error_code ec;
  const auto address = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, ec);
  if (ec) return fail(ErrorKind::invalid, fmt::format("'{}' is no address to listen on", host));
  const tcp::endpoint endpoint(address, port);
  auto& acceptor = shared_->acceptor;
  acceptor.open(endpoint.protocol(), ec);
  if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
  if (!ec) acceptor.bind(endpoint, ec);
  if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
  if (ec) {
    error_code ignored;
    acceptor.close(ignored);
    return fail(ErrorKind::unavailable, explain(host, port, ec));
  }
  const auto bound = acceptor.local_endpoint(ec).port();
  shared_->accept();
  shared_->sweep();
  return bound;
}

Task<void> Server::close() {
  shared_->closing = true;
  error_code ignored;
  shared_->acceptor.close(ignored);
  // Ending one may destroy it, and changes the set.
  std::vector<std::shared_ptr<Connection>> open;
  for (auto* connection : shared_->connections) open.push_back(connection->shared_from_this());
  for (const auto& connection : open) connection->drain();
  open.clear();
  co_await shared_->scope.close();
  if (shared_->connections.empty()) co_return;
  const auto timer =
      shared_->loop.after(limits::http_write_max, [this] { shared_->emptied.complete(false); });
  co_await shared_->emptied;
  shared_->loop.cancel(timer);
  for (auto* connection : shared_->connections) open.push_back(connection->shared_from_this());
  for (const auto& connection : open) connection->abort();
}

}  // namespace toa::gateway::http
