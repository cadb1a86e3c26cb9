#include "load.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "expect.hpp"

namespace toa::bench {
namespace {

using Clock = std::chrono::steady_clock;

Nanoseconds own_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

int connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  expect(path.size() < sizeof address.sun_path, "the socket's path is too long: " + path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  expect(::connect(made, generic, sizeof address) == 0, "nothing listens on " + path);
  return made;
}

/// The caller that an answer is for: every answer begins with `{"n":<caller>,`.
std::size_t caller_of(std::string_view line) {
  constexpr std::string_view head = R"({"n":)";
  std::size_t caller = 0;
  const auto* begin = line.data() + head.size();
  const auto [end, error] = std::from_chars(begin, line.data() + line.size(), caller);
  expect(line.starts_with(head) && error == std::errc{}, "an answer names no call");
  return caller;
}

void judge(std::string_view line, Seen& seen) {
  const auto outcome = line.substr(line.find(',') + 1);
  if (!outcome.starts_with("\"output\"") && !outcome.starts_with("\"nothing\"")) {
    if (seen.failed++ == 0) seen.first_failure = line;
  }
  if (line.ends_with(R"("replayed":true})")) ++seen.replayed;
}

}  // namespace

void Seen::add(const Seen& other) {
  waits.add(other.waits);
  replayed += other.replayed;
  failed += other.failed;
  if (first_failure.empty()) first_failure = other.first_failure;
  seconds += other.seconds;
  own_time += other.own_time;
}

/// One connection: bytes that wait to leave, and the unfinished line that has come.
class Load::Connection {
 public:
  explicit Connection(const std::string& path) : socket_(connect_to(path)) {}
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  std::string& out() { return out_; }

  pollfd waits() const {
    const short events = out_.empty() ? POLLIN : POLLIN | POLLOUT;
    return {socket_, events, 0};
  }

  void flush() {
    if (out_.empty()) return;
    const auto sent = ::send(socket_, out_.data(), out_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    expect(sent >= 0 || errno == EAGAIN || errno == EINTR, "the application closed a connection");
    if (sent > 0) out_.erase(0, static_cast<std::size_t>(sent));
  }

  /// Gives `answered` each line that is there.
  template <class Answered>
  void read(Answered answered) {
    std::array<char, 256 << 10> chunk;
    const auto got = ::recv(socket_, chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    expect(got > 0, "the application closed a connection");
    in_.append(chunk.data(), static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (auto end = in_.find('\n'); end != std::string::npos; end = in_.find('\n', begin)) {
      answered(std::string_view(in_).substr(begin, end - begin));
      begin = end + 1;
    }
    in_.erase(0, begin);
  }

 private:
  int socket_;
  std::string out_;
  std::string in_;
};

Load::Load(const std::string& socket, std::size_t callers, std::size_t connections)
    : callers_(callers) {
  for (std::size_t i = 0; i < std::min(callers, connections); ++i)
    connections_.push_back(std::make_unique<Connection>(socket));
}

Load::~Load() = default;

Seen Load::run(const std::string& endpoint, const MakeRequest& request, const Phases& phases) {
  const auto tail = R"(,"do":"call","endpoint":")" + endpoint + R"(","request":)";
  std::vector<Clock::time_point> asked(callers_);
  std::size_t waiting = 0;
  Seen seen;

  const auto ask = [&](std::size_t caller, Clock::time_point now) {
    auto& out = connections_[caller % connections_.size()]->out();
    out += R"({"n":)" + std::to_string(caller) + tail;
    request(out);
    out += "}\n";
    asked[caller] = now;
    ++waiting;
  };

  const auto measured_from = Clock::now() + phases.warm_up;
  auto measured_to = Clock::time_point::max();
  Clock::time_point began;
  enum class Phase { warm_up, measured, over } phase = Phase::warm_up;
  for (std::size_t caller = 0; caller < callers_; ++caller) ask(caller, Clock::now());

  std::vector<pollfd> polled(connections_.size());
  while (waiting > 0) {
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      connections_[i]->flush();
      polled[i] = connections_[i]->waits();
    }
    const int ready = ::poll(polled.data(), polled.size(), 30'000);
    expect(ready != 0, "no answer came for 30 s");
    const auto now = Clock::now();
    if (phase == Phase::warm_up && now >= measured_from) {
      phase = Phase::measured;
      phases.begins();
      seen.own_time = own_time();
      began = Clock::now();
      measured_to = began + phases.measured;
    } else if (phase == Phase::measured && now >= measured_to) {
      phase = Phase::over;
      seen.seconds = seconds(now - began);
      seen.own_time = own_time() - seen.own_time;
      phases.ends();
    }
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      if ((polled[i].revents & (POLLIN | POLLHUP)) == 0) continue;
      connections_[i]->read([&](std::string_view line) {
        const auto caller = caller_of(line);
        --waiting;
        if (phase == Phase::measured) {
          seen.waits.add(now - asked[caller]);
          judge(line, seen);
        }
        if (phase != Phase::over) ask(caller, now);
      });
    }
  }
  return seen;
}

}  // namespace toa::bench
