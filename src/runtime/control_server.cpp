#include "runtime/control_server.hpp"

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <vector>

#include "async/scope.hpp"
#include "base/limits.hpp"
#include "runtime/reply_json.hpp"

namespace toa::runtime {

namespace asio = boost::asio;
using Protocol = asio::local::stream_protocol;
using boost::system::error_code;

struct ControlServer::Shared {
  Shared(AsioLoop& l, Controlled& c)
      : loop(l), controlled(c), acceptor(l.context()), scope(l), flushed(l) {}

  void wrote() {
    if (--writes == 0 && closing) flushed.complete(true);
  }

  AsioLoop& loop;
  Controlled& controlled;
  Protocol::acceptor acceptor;
  Scope scope;
  std::set<Connection*> connections;
  /// Connections that are kept to the end of the application, which is what their clients wait for.
  std::vector<std::shared_ptr<Connection>> kept;
  std::string path;
  std::size_t writes = 0;
  bool closing = false;
  Completion<bool> flushed;
};

/// One client. Shared between its pending reads, writes and calls, the last of which ends it.
class ControlServer::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<Shared> shared, Protocol::socket socket)
      : shared_(std::move(shared)), socket_(std::move(socket)) {
    shared_->connections.insert(this);
  }
  ~Connection() { shared_->connections.erase(this); }

  void read() {
    if (reading_ || ended_ || shared_->closing || is_full()) return;
    reading_ = true;
    asio::async_read_until(socket_, input_, '\n',
                           [self = shared_from_this()](const error_code& ec, std::size_t size) {
                             self->have_read(ec, size);
                           });
  }

  /// Lets streams look again whether there is room, or anyone to read them.
  void wake_streams() {
    for (auto* room : std::exchange(rooms_, {})) room->complete(true);
  }

  void stop_reading() {
    wake_streams();
    error_code ignored;
    socket_.shutdown(Protocol::socket::shutdown_receive, ignored);
  }

 private:
  void have_read(const error_code& ec, std::size_t size) {
    if (ec == asio::error::not_found) {
      // What follows cannot be told apart any more: the answer is the last thing on this
      // connection.
      ended_ = true;
      answer_failure("null", "a line is longer than " +
                                 std::to_string(limits::control_line_bytes_max) + " bytes");
      return;
    }
    if (ec || shared_->closing) return;
    // Lines that came together are taken together. Until then this counts as reading: an answer
    // that is ready at once must not start another read over the same bytes.
    for (std::size_t line = size; line != 0 && !is_full(); line = next_line()) {
      const std::string text(static_cast<const char*>(input_.data().data()), line - 1);
      input_.consume(line);
      handle(text);
    }
    reading_ = false;
    read();
  }

  /// The length of the first whole line that is there, with its end; 0 where there is none.
  std::size_t next_line() const {
    const auto data = input_.data();
    const std::string_view text(static_cast<const char*>(data.data()), data.size());
    return text.find('\n') + 1;
  }

  /// A client that asks without reading the answers is not read from either.
  bool is_full() const {
    return running_ >= limits::control_calls_per_connection_max ||
           pending_.size() >= limits::control_line_bytes_max;
  }

  void handle(const std::string& line) {
    auto message = json::parse(line, {.bytes_max = limits::control_line_bytes_max,
                                      .depth_max = limits::document_depth_max + 2});
    if (!message) return answer_failure("null", message.error().message);
    const auto* number = json::find(*message, "n");
    const auto n = number == nullptr ? "null" : json::print(*number);
    const auto* verb = json::find(*message, "do");
    const auto word = verb != nullptr && verb->is_string() ? verb->get_string() : "";
    if (word == "call") {
      handle_call(n, *message);
    } else if (word == "status") {
      answer("{\"n\":" + n + ",\"status\":" + json::print(shared_->controlled.status()) + "}");
    } else if (word == "parked") {
      handle_parked(n, *message);
    } else if (word == "inbox") {
      handle_inbox(n, *message);
    } else if (word == "stop") {
      answer("{\"n\":" + n + ",\"stopping\":true}");
      shared_->controlled.stop();
    } else {
      answer_failure(n, "'do' must be call, status, parked, inbox or stop");
    }
  }

  void handle_call(const std::string& n, const Json& message) {
    const auto* endpoint = json::find(message, "endpoint");
    if (endpoint == nullptr || !endpoint->is_string()) {
      return answer_failure(n, "must have required property 'endpoint'");
    }
    const auto* request = json::find(message, "request");
    auto read = Request::read(request == nullptr ? Json(JsonObject{}) : *request);
    if (!read) {
      return answer_reply(n, {Exception{.code = Code::request_contract,
                                        .message = std::move(read.error().message)}});
    }
    ++running_;
    shared_->scope.spawn(
        serve(shared_from_this(), n, std::string(endpoint->get_string()), std::move(*read)));
  }

  /// The parts of one streamed reply, each a line, as fast as they are read.
  class Parts final : public bridge::Consumer {
   public:
    Parts(Connection& to, const std::string& n) : to_(to), n_(n) {}

    void begin() override { to_.answer("{\"n\":" + n_ + ",\"stream\":true}"); }

    Task<bool> take(Document part) override {
      while (to_.backlog() > limits::control_stream_bytes_max && to_.serves()) {
        Completion<bool> room(to_.shared_->loop);
        to_.rooms_.push_back(&room);
        co_await room;
      }
      if (!to_.serves()) co_return false;
      to_.answer("{\"n\":" + n_ + ",\"part\":" + part.text() + "}");
      co_return true;
    }

   private:
    Connection& to_;
    const std::string& n_;
  };

  std::size_t backlog() const { return pending_.size() + writing_.size(); }
  bool serves() const { return !gone_ && !shared_->closing; }

  static Task<void> serve(std::shared_ptr<Connection> self, std::string n, std::string endpoint,
                          Request request) {
    Parts parts(*self, n);
    const auto reply =
        co_await self->shared_->controlled.call(std::move(endpoint), std::move(request), parts);
    --self->running_;
    self->answer_reply(n, reply);
    self->read();
  }

  void handle_parked(const std::string& n, const Json& message) {
    auto request = read_parked_request(message);
    if (!request) return answer_failure(n, request.error().message);
    ++running_;
    shared_->scope.spawn(
        tell(shared_from_this(), n, shared_->controlled.parked(std::move(*request))));
  }

  void handle_inbox(const std::string& n, const Json& message) {
    const auto identity = read_inbox_request(message);
    if (!identity) return answer_failure(n, identity.error().message);
    ++running_;
    shared_->scope.spawn(tell(shared_from_this(), n, shared_->controlled.inbox(*identity)));
  }

  /// What an operator is told, a page or an answer.
  template <class Told>
  static Task<void> tell(std::shared_ptr<Connection> self, std::string n,
                         Task<Result<Told>> asked) {
    auto told = co_await std::move(asked);
    --self->running_;
    if (told) {
      const auto members = json::print(print(std::move(*told)));
      self->answer("{\"n\":" + n + "," + members.substr(1));
    } else {
      self->answer_failure(n, told.error().message);
    }
    self->read();
  }

  void answer_failure(const std::string& n, const std::string& text) {
    std::string line = "{\"n\":" + n + ",\"failure\":";
    json::print_string_to(line, text);
    answer(line + "}");
  }

  void answer_reply(const std::string& n, const Reply& reply) {
    std::string line = "{\"n\":" + n + ",";
    print_reply_to(line, reply);
    answer(line + "}");
  }

  void answer(const std::string& line) {
    pending_ += line;
    pending_ += '\n';
    if (!writing_.empty() || flushing_) return;
    // Not at once: what else this turn of the loop answers goes out in the same write.
    flushing_ = true;
    ++shared_->writes;
    shared_->loop.post([self = shared_from_this()] {
      self->flushing_ = false;
      self->write();
      self->shared_->wrote();
    });
  }

  // Everything that became ready while the last write was under way goes out in one.
  void write() {
    writing_ = std::exchange(pending_, {});
    if (writing_.empty()) {
      error_code ignored;
      // Calls that were taken before are answered first.
      if (ended_ && running_ == 0) socket_.close(ignored);
      return;
    }
    ++shared_->writes;
    asio::async_write(socket_, asio::buffer(writing_),
                      [self = shared_from_this()](const error_code& ec, std::size_t) {
                        self->writing_.clear();
                        if (ec) {
                          self->gone_ = true;
                          self->pending_.clear();
                        }
                        self->wake_streams();
                        self->write();
                        self->shared_->wrote();
                        if (!ec) self->read();
                      });
  }

  std::shared_ptr<Shared> shared_;
  Protocol::socket socket_;
  asio::streambuf input_{limits::control_line_bytes_max};
  std::string pending_;
  std::string writing_;
  /// Streams that wait until more was written.
  std::vector<Completion<bool>*> rooms_;
  std::size_t running_ = 0;
  /// The client does not take what is written.
  bool gone_ = false;
  bool reading_ = false;
  bool flushing_ = false;
  /// Nothing more is read; the connection closes when what is pending is written.
  bool ended_ = false;
};

ControlServer::ControlServer(AsioLoop& loop, Controlled& controlled)
    : shared_(std::make_shared<Shared>(loop, controlled)) {}

ControlServer::~ControlServer() {
  shared_->kept.clear();
  if (shared_->path.empty()) return;
  std::error_code ignored;
  std::filesystem::remove(shared_->path, ignored);
}

Result<void> ControlServer::listen(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  error_code ec;
  auto& acceptor = shared_->acceptor;
  acceptor.open(Protocol(), ec);
  if (!ec) {
    // The mode is set by the mask, so that there is no moment at which others could connect.
    const auto before = ::umask(0177);
    acceptor.bind(Protocol::endpoint(path), ec);
    ::umask(before);
  }
  if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
  if (ec) {
    return fail(ErrorKind::unavailable,
                "the control socket " + path + " cannot be opened: " + ec.message());
  }
  shared_->path = path;
  accept();
  return {};
}

void ControlServer::accept() {
  shared_->acceptor.async_accept(
      [this, shared = shared_](const error_code& ec, Protocol::socket socket) {
        if (ec == asio::error::operation_aborted || shared->closing) return;
        const bool room = shared->connections.size() < limits::control_connections_max;
        if (!ec && room) std::make_shared<Connection>(shared, std::move(socket))->read();
        accept();
      });
}

Task<void> ControlServer::close() {
  shared_->closing = true;
  error_code ignored;
  shared_->acceptor.close(ignored);
  for (auto* connection : shared_->connections) {
    shared_->kept.push_back(connection->shared_from_this());
    connection->stop_reading();
  }
  co_await shared_->scope.close();
  if (shared_->writes == 0) co_return;
  // A client that never reads its answer must not keep the application from ending.
  const auto timer =
      shared_->loop.after(limits::control_flush_max, [this] { shared_->flushed.complete(false); });
  co_await shared_->flushed;
  shared_->loop.cancel(timer);
}

}  // namespace toa::runtime
