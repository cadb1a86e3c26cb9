#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "async/completion.hpp"
#include "async/scope.hpp"
#include "gateway/http/poller.hpp"
#include "gateway/http/server.hpp"

namespace toa::gateway::http {

class Connection;

/// What the connections of a server share.
struct Shared : std::enable_shared_from_this<Shared> {
  Shared(AsioLoop& l, const Clock& c, Handler& h, Bounds b)
      : loop(l),
        clock(c),
        handler(h),
        bounds(b),
        acceptor(l.context()),
        poller(std::make_shared<Poller>(l)),
        scope(l),
        emptied(l) {}

  void accept();
  void take(boost::asio::ip::tcp::socket socket);
  /// Ends what has waited for too long.
  void sweep();
  std::string_view date();
  void left(Connection& connection);
  /// Has a connection go on at the end of the turn that it was answered in, together with all
  /// others: their clients are woken by one write and find the rest done, and this thread does not
  /// go back and forth between them and its own work.
  void gather(std::shared_ptr<Connection> answered);
  void go_on_with_gathered();

  AsioLoop& loop;
  const Clock& clock;
  Handler& handler;
  Bounds bounds;
  boost::asio::ip::tcp::acceptor acceptor;
  std::shared_ptr<Poller> poller;
  Scope scope;
  std::set<Connection*> connections;
  /// Those between two requests, the longest idle first.
  std::list<Connection*> idle;
  /// Those whose responses were put together in this turn of the loop.
  std::vector<std::shared_ptr<Connection>> gathered;
  /// Bodies of requests that are not answered.
  std::size_t body_bytes = 0;
  /// One buffer for whoever reads: a connection keeps only what it cannot take yet.
  std::array<char, 64 << 10> incoming{};
  std::string date_text;
  EpochMs date_second = -1;
  bool closing = false;
  Completion<bool> emptied;
};

/// One client.
///
/// (1) `busy_` from the moment a request is complete until its response is in `out_`; nothing is
/// read
///     or parsed meanwhile.
/// (2) Of the bytes that came, those that the parser has not taken are in `pending_`.
/// (3) Bytes are read only while they are `wanted_`, and then until none are left: the poller tells
///     of bytes only once.
/// (4) It holds itself until its socket is closed; whoever is served holds it meanwhile.
class Connection final : public Polled, public std::enable_shared_from_this<Connection> {
 public:
  /// Owns the socket, given as the system knows it.
  Connection(std::shared_ptr<Shared> shared, int socket);
  ~Connection();

  void start();
  void happened(bool ended) override;
  /// Nothing more is read; what runs is answered.
  void drain();
  /// Takes requests out of what came, for as long as they are answered at once, and writes what
  /// they were answered.
  void process();
  /// Ends it at once.
  void abort();
  bool overdue(std::chrono::nanoseconds now) const { return now >= deadline_; }

 private:
  void want();
  void read();
  void feed(std::string_view bytes);
  /// Whether it stopped only to let responses go out first.
  bool take_requests();
  /// What to do about a request that is not complete.
  void go_on();
  void fail(int status);
  void begin();
  static Task<void> serve(std::shared_ptr<Connection> self);
  void answered();
  void send_response();
  void flush();
  /// How much of it was taken; nothing where the socket failed, and the connection has ended.
  std::optional<std::size_t> send(std::string_view bytes);
  void write_on();
  void wrote();
  void set_idle(bool idle);
  void allow(std::chrono::milliseconds time);
  void account();

  std::shared_ptr<Shared> shared_;
  std::shared_ptr<Connection> kept_;
  Socket socket_;
  Request request_;
  Response response_;
  Parser parser_;
  std::string pending_;
  std::string out_;
  std::string writing_;
  std::size_t written_ = 0;  // of these
  std::chrono::nanoseconds deadline_{};
  std::list<Connection*>::iterator idle_at_;
  std::size_t accounted_ = 0;
  bool is_idle_ = false;
  bool wanted_ = false;
  /// There may be bytes to read, and no word of it will come again.
  bool readable_ = false;
  bool ended_ = false;  // behind these
  bool busy_ = false;
  bool processing_ = false;
  bool continued_ = false;
  Parser::State was_ = Parser::State::head;
  bool begun_ = false;
  /// Nothing more is taken; it closes when everything is written.
  bool ending_ = false;
  bool failed_ = false;
  bool lingering_ = false;
};

}  // namespace toa::gateway::http
