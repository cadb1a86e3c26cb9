#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <list>
#include <memory>
#include <set>
#include <string>

#include "async/completion.hpp"
#include "async/scope.hpp"
#include "gateway/http/server.hpp"

namespace toa::gateway::http {

class Connection;

/// What the connections of a server share.
struct Shared : std::enable_shared_from_this<Shared> {
  Shared(AsioLoop& l, const Clock& c, Handler& h, Bounds b)
      : loop(l), clock(c), handler(h), bounds(b), acceptor(l.context()), scope(l), emptied(l) {}

  void accept();
  void take(boost::asio::ip::tcp::socket socket);
  /// Ends what has waited for too long.
  void sweep();
  std::string_view date();
  void left(Connection& connection);

  AsioLoop& loop;
  const Clock& clock;
  Handler& handler;
  Bounds bounds;
  boost::asio::ip::tcp::acceptor acceptor;
  Scope scope;
  std::set<Connection*> connections;
  /// Those between two requests, the longest idle first.
  std::list<Connection*> idle;
  /// Bodies of requests that are not answered.
  std::size_t body_bytes = 0;
  /// One buffer for whoever reads much: a connection keeps only what it cannot take yet.
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
/// (3) At most one read of the socket is under way, and one write.
/// (4) Pending operations of the socket hold it by shared pointer, the last of which ends it.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<Shared> shared, boost::asio::ip::tcp::socket socket);
  ~Connection();

  void start() { process(); }
  /// Nothing more is read; what runs is answered.
  void drain();
  /// Ends it at once.
  void abort();
  bool overdue(std::chrono::nanoseconds now) const { return now >= deadline_; }

 private:
  void wait();
  void read(std::size_t size);
  /// What waits behind the bytes that were just read.
  void read_more();
  void feed(std::string_view bytes);
  /// Takes requests out of what came, for as long as they are answered at once.
  void process();
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
  void wrote();
  void set_idle(bool idle);
  void allow(std::chrono::milliseconds time);
  void account();

  std::shared_ptr<Shared> shared_;
  boost::asio::ip::tcp::socket socket_;
  Request request_;
  Response response_;
  Parser parser_;
  std::array<char, 1 << 10> first_bytes_;
  std::string pending_;
  std::string out_;
  std::string writing_;
  std::chrono::nanoseconds deadline_{};
  std::list<Connection*>::iterator idle_at_;
  std::size_t accounted_ = 0;
  bool is_idle_ = false;
  bool waiting_ = false;
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
