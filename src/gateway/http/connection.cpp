#include "gateway/http/connection.hpp"

namespace toa::gateway::http {

Connection::Connection(std::shared_ptr<Shared> shared, int socket)
    : shared_(std::move(shared)), socket_(socket), parser_(request_, shared_->bounds) {
  shared_->connections.insert(this);
  // An answer is small and waits for nothing behind it.
  socket_.hold_nothing_back();
}

Connection::~Connection() {
  set_idle(false);
  shared_->body_bytes -= accounted_;
  shared_->left(*this);
}

void Connection::start() {
  kept_ = shared_from_this();
  process();
  if (socket_.open() && !shared_->poller->add(socket_, *this)) abort();
}

void Connection::drain() {
  ending_ = true;
  if (!busy_ && out_.empty() && writing_.empty()) abort();
}

void Connection::abort() {
  // The last to hold it, where nobody else does.
  const auto kept = std::move(kept_);
  ending_ = true;
  set_idle(false);
  socket_.close();
  shared_->poller->forget(*this);
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
  const auto bytes = request_.body_bytes();
  shared_->body_bytes += bytes - accounted_;
  accounted_ = bytes;
}

void Connection::happened(bool ended) {
  const auto self = shared_from_this();
  readable_ = true;
  ended_ = ended_ || ended;
  if (!writing_.empty()) write_on();
  read();
}

// Whoever sends without end is read once a turn of the loop.
void Connection::want() {
  if (std::exchange(wanted_, true) || !readable_) return;
  shared_->loop.post([self = shared_from_this()] { self->read(); });
}

void Connection::read() {
  if (!wanted_ || !readable_ || !socket_.open()) return;
  auto& buffer = shared_->incoming;
  const auto read = socket_.read(buffer);
  if (read.ended) return abort();
  readable_ = ended_ || read.bytes == buffer.size();
  if (read.bytes == 0) return;
  wanted_ = false;
  if (lingering_) return want();
  if (ending_ || busy_) return;
  feed({buffer.data(), read.bytes});
  process();
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
  const bool large = accounted_ > limits::http_buffer_kept_bytes_max;
  if (shared_->body_bytes > limits::http_bodies_bytes_max && large) return fail(503);
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
  want();
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
  if (!processing_) shared_->gather(shared_from_this());
}

void Connection::send_response() {
  response_.write_to(out_, shared_->date());
  ending_ = ending_ || response_.closes;
  const bool scarce = shared_->body_bytes > limits::http_bodies_bytes_max / 2;
  request_.clear(scarce ? 0 : limits::http_buffer_kept_bytes_max);
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
  if (!writing_.empty() || !socket_.open()) return;
  if (out_.empty()) {
    if (ending_ && !busy_ && !lingering_) abort();
    return;
  }
  const auto sent = send(out_);
  if (!sent) return;
  if (*sent == out_.size()) {
    if (out_.capacity() > limits::http_buffer_kept_bytes_max) out_ = {};
    out_.clear();
    return wrote();
  }
  writing_ = std::exchange(out_, {});
  written_ = *sent;
  allow(limits::http_write_max);
  write_on();
}

std::optional<std::size_t> Connection::send(std::string_view bytes) {
  const auto taken = socket_.write(bytes);
  if (!taken) abort();
  return taken;
}

// Until there is no room: only then the poller tells of room again.
void Connection::write_on() {
  while (written_ < writing_.size()) {
    const auto sent = send(std::string_view(writing_).substr(written_));
    if (!sent || *sent == 0) return;
    written_ += *sent;
  }
  writing_ = {};
  wrote();
  process();
}

void Connection::wrote() {
  if (!ending_ || busy_ || lingering_) return;
  if (!failed_) return abort();
  // What the client still sends is read and dropped: to close over it would be a reset, which may
  // reach the client before the answer does.
  socket_.end_writing();
  lingering_ = true;
  pending_ = {};
  allow(limits::http_linger_max);
  want();
}

}  // namespace toa::gateway::http
