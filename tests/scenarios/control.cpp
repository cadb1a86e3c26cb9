#include "control.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "failed.hpp"

namespace toa::scenarios {
namespace {

// A peer that stops reading must not hold the scenario up.
constexpr timeval send_patience{.tv_sec = 20, .tv_usec = 0};
constexpr std::string_view number_first = "{\"n\":1,";
constexpr std::string_view replayed_last = ",\"replayed\":true";

std::string outcome_text(std::string_view line) {
  if (line.starts_with(number_first)) line.remove_prefix(number_first.size());
  if (line.ends_with('}')) line.remove_suffix(1);
  if (line.ends_with(replayed_last)) line.remove_suffix(replayed_last.size());
  return std::string(line);
}

}  // namespace

Control::Control(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &send_patience, sizeof send_patience);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(socket_, generic, sizeof(address)) == 0) return;
  const auto why = std::string(std::strerror(errno));
  ::close(socket_);
  throw Failed{"nobody listens at " + path + ": " + why};
}

Control::Control(Control&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}

Control::~Control() {
  if (socket_ >= 0) ::close(socket_);
}

void Control::send_line(std::string line) {
  line += '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    const auto wrote = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;
    sent += static_cast<std::size_t>(wrote);
  }
}

std::optional<std::string> Control::read_line(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::array<char, 64 << 10> chunk{};
  for (;;) {
    if (const auto end = received_.find('\n'); end != std::string::npos) {
      auto line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd waiting{socket_, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) == 0)
      throw Failed{fmt::format("no answer within {} ms", patience.count())};
    const auto got = ::read(socket_, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    received_.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

void send_call(Control& control, const std::string& endpoint, const Json& request) {
  std::string line = "{\"n\":1,\"do\":\"call\",\"endpoint\":";
  json::print_string_to(line, endpoint);
  control.send_line(line + ",\"request\":" + json::print(request) + "}");
}

Answer read_answer(Control& control, std::chrono::milliseconds patience) {
  const auto line = control.read_line(patience);
  if (!line) return {};
  auto reply = json::parse(*line, {.depth_max = limits::document_depth_max + 2});
  if (!reply) throw Failed{"the answer is no JSON: " + reply.error().message};
  return {std::move(*reply), outcome_text(*line)};
}

}  // namespace toa::scenarios
