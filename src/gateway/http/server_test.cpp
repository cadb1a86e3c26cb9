#include "gateway/http/server.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <thread>

#include "async/scope.hpp"

namespace toa::gateway::http {
namespace {

using boost::asio::ip::tcp;
using namespace std::chrono_literals;

/// Answers with what was asked; `/wait/` only when told to.
class Echo final : public Handler {
 public:
  explicit Echo(Loop& loop) : loop_(loop) {}

  Task<void> serve(const Request& request, Response& response) override {
    ++served;
    if (request.target() == "/wait/") {
      Completion<bool> told(loop_);
      waiting = &told;
      co_await told;
      if (on_told) on_told();
    }
    response.body = std::string(request.method()) + " " + std::string(request.target()) + " " +
                    std::string(request.body());
  }

  Completion<bool>* waiting = nullptr;
  int served = 0;
  std::function<void()> on_told;

 private:
  Loop& loop_;
};

/// A server on a thread of its own.
class Subject {
 public:
  Subject() : echo_(loop_), server_(loop_, clock_, echo_) {
    port_ = *server_.listen("127.0.0.1", 0);
    thread_ = std::thread([this] { loop_.run(); });
  }
  ~Subject() {
    close();
    thread_.join();
  }

  void close() {
    if (std::exchange(closed_, true)) return;
    loop_.post([this] { scope_.spawn(end()); });
  }
  template <class Work>
  void on_loop(Work work) {
    std::promise<void> done;
    loop_.post([&] {
      work();
      done.set_value();
    });
    done.get_future().wait();
  }
  void let_pass(std::chrono::milliseconds time) {
    on_loop([&] { clock_.advance(time); });
  }
  std::uint16_t port() const { return port_; }
  Echo& echo() { return echo_; }
  std::size_t connections() const { return server_.connections(); }

 private:
  Task<void> end() {
    co_await server_.close();
    loop_.stop();
  }

  AsioLoop loop_;
  ManualClock clock_{1'790'000'000'000};
  Echo echo_;
  Server server_;
  Scope scope_{loop_};
  std::uint16_t port_ = 0;
  std::thread thread_;
  bool closed_ = false;
};

class Client {
 public:
  explicit Client(const Subject& subject) {
    socket_.connect({boost::asio::ip::make_address("127.0.0.1"), subject.port()});
  }
  void send(std::string_view text) {
    boost::system::error_code ignored;
    boost::asio::write(socket_, boost::asio::buffer(text), ignored);
  }
  /// Up to the end of a response with this body.
  std::string read_until(std::string_view end) {
    std::array<char, 4096> chunk{};
    while (!text_.contains(end)) {
      boost::system::error_code ec;
      const auto size = socket_.read_some(boost::asio::buffer(chunk), ec);
      if (ec) return text_ + " (ended)";
      text_.append(chunk.data(), size);
    }
    const auto size = text_.find(end) + end.size();
    auto read = text_.substr(0, size);
    text_.erase(0, size);
    return read;
  }
  /// Has come and was not read.
  std::size_t available() { return socket_.available(); }
  std::string rest() { return read_until("<never>"); }
  /// Reads to the end, and counts.
  std::size_t count_rest() {
    std::vector<char> chunk(1 << 16);
    std::size_t all = 0;
    for (boost::system::error_code ec; !ec;)
      all += socket_.read_some(boost::asio::buffer(chunk), ec);
    return all;
  }
  void end_sending() { socket_.shutdown(tcp::socket::shutdown_send); }
  void leave() { socket_.close(); }

 private:
  boost::asio::io_context context_;
  tcp::socket socket_{context_};
  std::string text_;
};

TEST(HttpServer, KeepsAConnectionForSeveralRequests) {
  Subject subject;
  Client client(subject);
  client.send("GET /a/ HTTP/1.1\r\nhost: a\r\n\r\n");
  const auto first = client.read_until("GET /a/ ");
  EXPECT_TRUE(first.starts_with("HTTP/1.1 200 OK\r\ndate: ")) << first;
  EXPECT_TRUE(first.contains("content-length: 8\r\n")) << first;
  client.send("PUT /b/ HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nhi");
  EXPECT_TRUE(client.read_until("PUT /b/ hi").starts_with("HTTP/1.1 200"));
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
  Subject subject;
  Client client(subject);
  std::string all;
  constexpr int count = 5'000;
  for (int i = 0; i < count; ++i)
    all += "GET /" + std::to_string(i) + "/ HTTP/1.1\r\nhost: a\r\n\r\n";
  const std::jthread sender([&] { client.send(all); });
  for (int i = 0; i < count; ++i) {
    const auto body = "\r\n\r\nGET /" + std::to_string(i) + "/ ";
    ASSERT_FALSE(client.read_until(body).ends_with("(ended)")) << i;
  }
}

TEST(HttpServer, AnswersAHeadWithoutABody) {  // G22
  Subject subject;
  Client client(subject);
  client.send("HEAD /a/ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
  const auto answer = client.rest();
  EXPECT_TRUE(answer.contains("content-length: 9\r\nconnection: close\r\n\r\n (ended)")) << answer;
}

TEST(HttpServer, ClosesAfterWhatItCannotRead) {
  Subject subject;
  Client client(subject);
  client.send(
      "GET / HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\n\r\n");
  const auto answer = client.rest();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 Bad Request\r\n")) << answer;
  EXPECT_TRUE(answer.ends_with("connection: close\r\n\r\n (ended)")) << answer;
  subject.on_loop([&] { EXPECT_EQ(subject.echo().served, 0); });
}

TEST(HttpServer, TellsAClientToGoOn) {
  Subject subject;
  Client client(subject);
  client.send("POST /a/ HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("hi");
  EXPECT_TRUE(client.read_until("POST /a/ hi").starts_with("HTTP/1.1 200"));
}

TEST(HttpServer, EndsWhoDoesNotFinishWhatHeBegan) {
  Subject subject;
  Client head(subject);
  Client body(subject);
  Client idle(subject);
  head.send("GET /a/ HTTP/1.1\r\nhost");
  body.send("POST /a/ HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n");
  body.read_until("\r\n\r\n");
  idle.send("GET /b/ HTTP/1.1\r\nhost: a\r\n\r\n");
  idle.read_until("GET /b/ ");
  subject.let_pass(limits::http_head_max);
  EXPECT_EQ(head.rest(), " (ended)");
  subject.let_pass(limits::http_body_max);
  EXPECT_EQ(body.rest(), " (ended)");
  idle.send("GET /c/ HTTP/1.1\r\nhost: a\r\n\r\n");
  EXPECT_TRUE(idle.read_until("GET /c/ ").starts_with("HTTP/1.1 200"));
  subject.let_pass(limits::http_idle_max);
  EXPECT_EQ(idle.rest(), " (ended)");
}

TEST(HttpServer, EndsWhoDoesNotReadHisAnswer) {
  Subject subject;
  Client client(subject);
  const std::string body(limits::http_body_bytes_max, 'x');
  std::string all;
  for (int i = 0; i < 64; ++i)
    all += "POST /a/ HTTP/1.1\r\nhost: a\r\ncontent-length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
  // It cannot all be taken: the answers have nowhere to go.
  const std::jthread sender([&] { client.send(all); });
  for (bool served = false; !served;) subject.on_loop([&] { served = subject.echo().served > 0; });
  const auto none = [&] {
    bool gone = false;
    subject.on_loop([&] { gone = subject.connections() == 0; });
    return gone;
  };
  while (!none()) subject.let_pass(limits::http_write_max);
}

TEST(HttpServer, WritesOnWhenAClientReadsLate) {
  Subject subject;
  Client client(subject);
  const std::string body(limits::http_body_bytes_max, 'x');
  constexpr std::size_t count = 24;
  const auto post =
      "POST /a/ HTTP/1.1\r\nhost: a\r\ncontent-length: " + std::to_string(body.size());
  std::string all;
  for (std::size_t i = 1; i < count; ++i) all += post + "\r\n\r\n" + body;
  all += post + "\r\nconnection: close\r\n\r\n" + body;
  const std::jthread sender([&] { client.send(all); });
  for (bool served = false; !served;) subject.on_loop([&] { served = subject.echo().served > 0; });
  EXPECT_GT(client.count_rest(), count * body.size());
  subject.on_loop([&] { EXPECT_EQ(subject.echo().served, static_cast<int>(count)); });
}

TEST(HttpServer, ReadsWhatCameWhileItAnswered) {
  Subject subject;
  Client client(subject);
  client.send("GET /wait/ HTTP/1.1\r\nhost: a\r\n\r\n");
  for (bool waits = false; !waits;) subject.on_loop([&] { waits = subject.echo().waiting; });
  client.send("GET /b/ HTTP/1.1\r\nhost: a\r\n\r\n");
  // The bytes are there before the answer is, and told of while nobody wants them.
  Client other(subject);
  other.send("GET /c/ HTTP/1.1\r\nhost: a\r\n\r\n");
  other.read_until("GET /c/ ");
  subject.on_loop([&] { subject.echo().waiting->complete(true); });
  client.read_until("GET /wait/ ");
  EXPECT_TRUE(client.read_until("GET /b/ ").starts_with("HTTP/1.1 200"));
}

TEST(HttpServer, AnswersAClientThatSendsNothingMore) {
  Subject subject;
  Client client(subject);
  client.send("GET /wait/ HTTP/1.1\r\nhost: a\r\n\r\nGET /b/ HTTP/1.1\r\nhost: a\r\n\r\n");
  client.end_sending();
  for (bool waits = false; !waits;) subject.on_loop([&] { waits = subject.echo().waiting; });
  subject.on_loop([&] { subject.echo().waiting->complete(true); });
  EXPECT_TRUE(client.read_until("GET /wait/ ").starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(client.rest().ends_with("GET /b/  (ended)"));
}

TEST(HttpServer, ForgetsAClientThatLeaves) {
  Subject subject;
  Client served(subject);
  Client idle(subject);
  served.send("GET /wait/ HTTP/1.1\r\nhost: a\r\n\r\n");
  for (bool waits = false; !waits;) subject.on_loop([&] { waits = subject.echo().waiting; });
  served.leave();
  idle.leave();
  const auto left = [&] {
    std::size_t count = 0;
    subject.on_loop([&] { count = subject.connections(); });
    return count;
  };
  while (left() != 1) continue;
  subject.on_loop([&] { subject.echo().waiting->complete(true); });
  while (left() != 0) continue;
}

TEST(HttpServer, AnswersWhatRunsBeforeItEnds) {  // G218
  Subject subject;
  Client idle(subject);
  Client client(subject);
  client.send("GET /wait/ HTTP/1.1\r\nhost: a\r\n\r\n");
  for (bool waits = false; !waits;) subject.on_loop([&] { waits = subject.echo().waiting; });
  subject.close();
  EXPECT_EQ(idle.rest(), " (ended)");
  subject.on_loop([&] { subject.echo().waiting->complete(true); });
  const auto answer = client.rest();
  EXPECT_TRUE(answer.contains("connection: close\r\n\r\nGET /wait/  (ended)")) << answer;
}

TEST(HttpServer, WritesWhatIsAnsweredInOneTurnAfterTheLastIsMade) {
  Subject subject;
  Client first(subject);
  Client second(subject);
  std::vector<Completion<bool>*> waiting;
  for (auto* client : {&first, &second}) {
    client->send("GET /wait/ HTTP/1.1\r\nhost: a\r\n\r\n");
    Completion<bool>* told = nullptr;
    while (told == nullptr)
      subject.on_loop([&] { told = std::exchange(subject.echo().waiting, nullptr); });
    waiting.push_back(told);
  }
  std::size_t written = 0;
  subject.on_loop([&] {
    subject.echo().on_told = [&] { written += first.available() + second.available(); };
    for (auto* told : waiting) told->complete(true);
  });
  first.read_until("GET /wait/ ");
  second.read_until("GET /wait/ ");
  EXPECT_EQ(written, 0u);
}

TEST(HttpServer, SaysPlainlyThatAPortIsInUse) {  // G216
  Subject subject;
  AsioLoop loop;
  SystemClock clock;
  Echo echo(loop);
  Server second(loop, clock, echo);
  const auto refused = second.listen("127.0.0.1", subject.port());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "port " + std::to_string(subject.port()) +
                " of 127.0.0.1 is in use by another program: stop that, or choose another port");
}

}  // namespace
}  // namespace toa::gateway::http
