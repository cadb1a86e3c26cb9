#include "runtime/control_client.hpp"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include "runtime/reply_json.hpp"

namespace toa::runtime {
namespace {

std::unexpected<Error> ended() {
  // The call may have been made: whoever repeats it must state the same id.
  return fail(
      ErrorKind::unknown_outcome,
      "the application ended before it answered; whether the call was made is not known. Repeat it "
      "with the same `id` to be answered as the same call");
}

}  // namespace

ControlClient::ControlClient(int socket) : socket_(socket) {}

ControlClient::ControlClient(ControlClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), heard_(std::move(other.heard_)) {}

ControlClient::~ControlClient() {
  if (socket_ >= 0) ::close(socket_);
}

std::optional<ControlClient> ControlClient::connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return std::nullopt;
  ControlClient client(descriptor);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(descriptor, generic, sizeof(address)) != 0) return std::nullopt;
  return client;
}

Result<Json> ControlClient::ask(const std::string& message) {
  if (auto said = say(message); !said) return std::unexpected(said.error());
  return hear();
}

Result<void> ControlClient::say(const std::string& message) {
  const std::string line = message + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const auto wrote = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return ended();
    sent += static_cast<std::size_t>(wrote);
  }
  return {};
}

Result<Json> ControlClient::hear() {
  char chunk[64 << 10];
  std::size_t end = heard_.find('\n');
  while (end == std::string::npos) {
    const auto got = ::read(socket_, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return ended();
    const auto from = heard_.size();
    heard_.append(chunk, static_cast<std::size_t>(got));
    end = heard_.find('\n', from);
  }
  const auto answer = heard_.substr(0, end);
  heard_.erase(0, end + 1);
  const auto depth = limits::document_depth_max + limits::parked_answer_depth;
  auto parsed = json::parse(answer, {.bytes_max = answer.size(), .depth_max = depth});
  if (!parsed)
    return fail(ErrorKind::broken, "the application's answer: " + parsed.error().message);
  if (const auto* failure = json::find(*parsed, "failure")) {
    return fail(ErrorKind::invalid, std::string(failure->as_string()));
  }
  return parsed;
}

Result<Reply> ControlClient::call(const std::string& endpoint, const std::string& request,
                                  const Streamed& streamed) {
  std::string message = R"({"n":1,"do":"call","endpoint":)";
  json::print_string_to(message, endpoint);
  message += ",\"request\":" + request + "}";
  if (auto said = say(message); !said) return std::unexpected(said.error());
  for (;;) {
    auto answer = hear();
    if (!answer) return std::unexpected(answer.error());
    const auto* part = json::find(*answer, "part");
    if (part == nullptr && json::find(*answer, "stream") == nullptr) return read_reply(*answer);
    streamed(part);
  }
}

Result<Json> ControlClient::status() {
  auto answer = ask(R"({"n":1,"do":"status"})");
  if (!answer) return answer;
  const auto* status = json::find(*answer, "status");
  if (status == nullptr) return fail(ErrorKind::broken, "the application told no status");
  return *status;
}

Result<ParkedPage> ControlClient::parked(const ParkedRequest& request) {
  JsonObject message{{"n", 1}, {"do", "parked"}};
  for (auto& [key, value] : print(request)) message[key] = std::move(value);
  auto answer = ask(json::print(message));
  if (answer) return read_parked_page(std::move(*answer));
  if (answer.error().kind != ErrorKind::unknown_outcome) return std::unexpected(answer.error());
  return fail(ErrorKind::unknown_outcome,
              "the application ended before it answered; `toa parked` shows what is still parked");
}

Result<InboxAnswer> ControlClient::inbox(Identity identity) {
  JsonObject message{{"n", 1}, {"do", "inbox"}};
  for (auto& [key, value] : print_inbox_request(identity)) message[key] = std::move(value);
  auto answer = ask(json::print(message));
  if (!answer && answer.error().kind == ErrorKind::unknown_outcome)
    return fail(ErrorKind::unavailable, "the application ended before it answered; ask again");
  if (!answer) return std::unexpected(answer.error());
  return read_inbox_answer(std::move(*answer));
}

Result<void> ControlClient::stop() {
  auto answer = ask(R"({"n":1,"do":"stop"})");
  if (!answer) return std::unexpected(answer.error());
  return {};
}

bool ControlClient::wait_for_end(int milliseconds) {
  pollfd waiting{socket_, POLLIN | POLLHUP, 0};
  char rest[256];
  while (::poll(&waiting, 1, milliseconds) > 0) {
    if (::read(socket_, rest, sizeof rest) <= 0) return true;
  }
  return false;
}

}  // namespace toa::runtime
