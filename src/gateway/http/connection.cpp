#include "gateway/http/connection.hpp"

#include <boost/asio/write.hpp>

namespace toa::gateway::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

Connection::Connection(std::shared_ptr<Shared> shared, tcp::socket socket)
    : shared_(std::move(shared)), socket_(std::move(socket)), parser_(request_, shared_->bounds) {
  shared_->connections.insert(this);
  error_code ignored;
  socket_.non_blocking(true, ignored);
  // An answer is small and waits for nothing behind it.
  socket_.set_option(tcp::no_delay(true), ignored);
}

Connection::~Connection() {
  set_idle(false);
  shared_->body_bytes -= accounted_;
  shared_->left(*this);
}

void Connection::drain() {
  ending_ = true;
  if (!busy_ && out_.empty() && writing_.empty()) abort();
}

void Connection::abort() {
  ending_ = true;
  set_idle(false);
  error_code ignored;
  socket_.close(ignored);
}

void Connection::allow(std::chrono::milliseconds time) {
  deadline_ = shared_->clock.steady() + time;
}

void Connection::set_idle(bool idle) {
  if (idle == is_idle_) return;
  is_idle_ = idle;
  if (idle) {
    idle_at_ = shared_->idle.insert(shared_->idle.end(), this);
  } else {
    shared_->idle.erase(idle_at_);
  }
}

void Connection::account() {
  const auto bytes = request_.body().size();
  shared_->body_bytes += bytes - accounted_;
  accounted_ = bytes;
}

// A read, small as most requests are, and not a wait for one: Asio tells the kernel anew of each
// wait, and of a read only once.
void Connection::wait() {
  if (waiting_ || !socket_.is_open()) return;
  waiting_ = true;
  socket_.async_read_some(asio::buffer(first_bytes_),
                          [self = shared_from_this()](const error_code& ec, std::size_t size) {
                            self->waiting_ = false;
                            if (ec) return self->abort();
                            self->read(size);
                          });
}

void Connection::read(std::size_t size) {
  if (lingering_) return wait();
  if (ending_ || busy_) return;
  feed({first_bytes_.data(), size});
  if (size == first_bytes_.size()) read_more();
  process();
}

void Connection::read_more() {
  error_code ec;
  auto& buffer = shared_->incoming;
  const auto size = socket_.read_some(asio::buffer(buffer), ec);
  if (!ec) feed({buffer.data(), size});
  // An end or a fault that came behind these bytes is met by the next read.
}

void Connection::feed(std::string_view bytes) {
  if (!begun_ && !bytes.empty()) {
    begun_ = true;
    set_idle(false);
    allow(limits::http_head_max);
  }
  if (pending_.empty()) {
    const auto taken = parser_.take(bytes);
    pending_.assign(bytes.substr(taken));
  } else {
    pending_ += bytes;
    pending_.erase(0, parser_.take(pending_));
  }
  account();
}

void Connection::process() {
  if (processing_) return;
  processing_ = true;
  bool more = true;
  while (more) {
    more = take_requests();
    flush();
  }
  processing_ = false;
}

bool Connection::take_requests() {
  while (!ending_ && !busy_ && writing_.empty()) {
    if (out_.size() >= limits::http_responses_bytes_max) return true;
    if (parser_.state() != Parser::State::complete && !pending_.empty()) feed({});
    if (parser_.state() == Parser::State::failed) {
      fail(parser_.status());
    } else if (parser_.state() == Parser::State::complete) {
      begin();
    } else {
      go_on();
      break;
    }
  }
  return false;
}

void Connection::go_on() {
  const auto state = parser_.state();
  if (shared_->body_bytes > limits::http_bodies_bytes_max && accounted_ > 0) return fail(503);
  // Within one head the parser takes nothing; more than a head is refused by it.
  if (pending_.size() > shared_->bounds.head_bytes + shared_->incoming.size()) return fail(400);
  if (!begun_) {
    set_idle(true);
    allow(limits::http_idle_max);
  } else if (state == Parser::State::body && was_ == Parser::State::head) {
    allow(limits::http_body_max);
  }
  was_ = state;
  if (parser_.waits_for_continue() && !std::exchange(continued_, true))
    out_ += "HTTP/1.1 100 Continue\r\n\r\n";
  wait();
}

void Connection::fail(int status) {
  failed_ = true;
  response_.clear();
  response_.status = status;
  response_.closes = true;
  send_response();
}

void Connection::begin() {
  busy_ = true;
  deadline_ = std::chrono::nanoseconds::max();
  response_.clear();
  response_.without_body = request_.method() == "HEAD";
  response_.closes = !request_.keeps_alive();
  shared_->scope.spawn(serve(shared_from_this()));
}

Task<void> Connection::serve(std::shared_ptr<Connection> self) {
  co_await self->shared_->handler.serve(self->request_, self->response_);
  self->answered();
}

void Connection::answered() {
  busy_ = false;
  if (ending_) response_.closes = true;
  send_response();
  process();
}

void Connection::send_response() {
  response_.write_to(out_, shared_->date());
  ending_ = ending_ || response_.closes;
  request_.clear();
  account();
  parser_.restart();
  was_ = Parser::State::head;
  continued_ = begun_ = false;
  if (!pending_.empty()) {
    begun_ = true;
    allow(limits::http_head_max);
  }
}

void Connection::flush() {
  if (!writing_.empty() || !socket_.is_open()) return;
  if (out_.empty()) {
    if (ending_ && !busy_ && !lingering_) abort();
    return;
  }
  error_code ec;
  const auto sent = socket_.write_some(asio::buffer(out_), ec);
  if (ec && ec != asio::error::would_block) return abort();
  if (!ec && sent == out_.size()) {
    if (out_.capacity() > limits::http_buffer_kept_bytes_max) out_ = {};
    out_.clear();
    return wrote();
  }
  writing_ = out_.substr(ec ? 0 : sent);
  out_.clear();
  allow(limits::http_write_max);
  asio::async_write(socket_, asio::buffer(writing_),
                    [self = shared_from_this()](const error_code& failed, std::size_t) {
                      self->writing_ = {};
                      if (failed) return self->abort();
                      self->wrote();
                      self->process();
                    });
}

void Connection::wrote() {
  if (!ending_ || busy_ || lingering_) return;
  if (!failed_) return abort();
  // What the client still sends is read and dropped: to close over it would be a reset, which may
  // reach the client before the answer does.
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  lingering_ = true;
  pending_ = {};
  allow(limits::http_linger_max);
  wait();
}

}  // namespace toa::gateway::http
