#include "kill/line_client.hpp"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace toa::kill {

namespace {
// A program that answers nothing for this long hangs.
constexpr int silence_max_ms = 30'000;
}  // namespace

std::optional<LineClient> LineClient::connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  LineClient client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (client.socket_ < 0 || ::connect(client.socket_, generic, sizeof address) != 0) {
    return std::nullopt;
  }
  return client;
}

LineClient::LineClient(LineClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      received_(std::move(other.received_)),
      silent_(other.silent_) {}

LineClient::~LineClient() {
  if (socket_ >= 0) ::close(socket_);
}

bool LineClient::send(const std::string& lines) {
  for (std::size_t sent = 0; sent < lines.size();) {
    const auto wrote = ::send(socket_, lines.data() + sent, lines.size() - sent, MSG_NOSIGNAL);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    sent += static_cast<std::size_t>(wrote);
  }
  return true;
}

std::optional<std::string> LineClient::receive() {
  char chunk[16 << 10];
  for (;;) {
    if (const auto end = received_.find('\n'); end != std::string::npos) {
      auto line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    pollfd waiting{socket_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, silence_max_ms);
    if (ready < 0 && errno == EINTR) continue;
    silent_ = ready == 0;
    const auto got = ready > 0 ? ::read(socket_, chunk, sizeof chunk) : 0;
    if (got <= 0) return std::nullopt;
    received_.append(chunk, static_cast<std::size_t>(got));
  }
}

}  // namespace toa::kill
