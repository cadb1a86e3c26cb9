#include "http_load.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "expect.hpp"

namespace toa::bench {
namespace {

using Clock = std::chrono::steady_clock;

int connect_to(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  expect(::connect(made, generic, sizeof address) == 0,
         "nothing listens on port " + std::to_string(port));
  const int yes = 1;
  ::setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return made;
}

Nanoseconds own_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

/// The bytes of the response at the front; 0 while it is not whole.
std::size_t size_of_response(std::string_view in) {
  constexpr std::string_view label = "\r\ncontent-length: ";
  const auto head = in.find("\r\n\r\n");
  if (head == std::string_view::npos) return 0;
  const auto at = in.find(label);
  expect(at < head, "a response has no content-length");
  std::size_t length = 0;
  std::from_chars(in.data() + at + label.size(), in.data() + head, length);
  const auto whole = head + 4 + length;
  return in.size() < whole ? 0 : whole;
}

}  // namespace

class HttpLoad::Client {
 public:
  explicit Client(std::uint16_t port) : socket_(connect_to(port)) {}
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  int socket() const { return socket_; }
  Clock::time_point asked() const { return asked_; }

  void ask(const MakeHttp& request, Clock::time_point now) {
    out_.clear();
    request(out_);
    asked_ = now;
    const auto sent = ::send(socket_, out_.data(), out_.size(), MSG_NOSIGNAL);
    expect(sent == static_cast<ssize_t>(out_.size()), "a connection was closed");
  }

  /// The response, where it is whole; valid until the next call.
  std::string_view read() {
    in_.erase(0, std::exchange(taken_, 0));
    std::array<char, 16 << 10> chunk;
    const auto got = ::recv(socket_, chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return {};
    expect(got > 0, "a connection was closed");
    in_.append(chunk.data(), static_cast<std::size_t>(got));
    taken_ = size_of_response(in_);
    return std::string_view(in_).substr(0, taken_);
  }

 private:
  int socket_;
  std::string out_, in_;
  std::size_t taken_ = 0;
  Clock::time_point asked_;
};

HttpLoad::HttpLoad(std::uint16_t port, std::size_t connections)
    : poll_(::epoll_create1(EPOLL_CLOEXEC)) {
  expect(poll_ >= 0, "no epoll can be made");
  for (std::size_t i = 0; i < connections; ++i) {
    clients_.push_back(std::make_unique<Client>(port));
    epoll_event event{.events = EPOLLIN, .data = {.ptr = clients_.back().get()}};
    expect(::epoll_ctl(poll_, EPOLL_CTL_ADD, clients_.back()->socket(), &event) == 0,
           "epoll refuses a connection");
  }
}

HttpLoad::~HttpLoad() {
  ::close(poll_);
}

Seen HttpLoad::run(const MakeHttp& request, const Load::Phases& phases) {
  enum class Phase { warm_up, measured, over } phase = Phase::warm_up;
  Seen seen;
  auto turns_at = Clock::now() + phases.warm_up;
  Clock::time_point began;
  for (const auto& client : clients_) client->ask(request, Clock::now());

  const auto judge = [&seen](std::string_view response) {
    if (!response.starts_with("HTTP/1.1 200") && seen.failed++ == 0) seen.first_failure = response;
    if (response.find("\r\nidempotency-replayed: true\r\n") != std::string_view::npos)
      ++seen.replayed;
  };

  std::array<epoll_event, 256> events;
  for (auto waiting = clients_.size(); waiting > 0;) {
    const int ready = ::epoll_wait(poll_, events.data(), events.size(), 30'000);
    expect(ready != 0, "no answer came for 30 s");
    const auto now = Clock::now();
    if (phase == Phase::warm_up && now >= turns_at) {
      phase = Phase::measured;
      phases.begins();
      seen.own_time = own_time();
      began = Clock::now();
      turns_at = began + phases.measured;
    } else if (phase == Phase::measured && now >= turns_at) {
      phase = Phase::over;
      seen.seconds = seconds(now - began);
      seen.own_time = own_time() - seen.own_time;
      phases.ends();
    }
    for (int i = 0; i < ready; ++i) {
      auto& client = *static_cast<Client*>(events[static_cast<std::size_t>(i)].data.ptr);
      const auto response = client.read();
      if (response.empty()) continue;
      if (phase == Phase::measured) {
        seen.waits.add(now - client.asked());
        judge(response);
      }
      if (phase == Phase::over) {
        --waiting;
      } else {
        client.ask(request, now);
      }
    }
  }
  return seen;
}

}  // namespace toa::bench
