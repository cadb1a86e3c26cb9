#include "http.hpp"

#include <arpa/inet.h>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "failed.hpp"
#include "keys.hpp"
#include "match.hpp"

namespace toa::scenarios {
namespace {

std::string lowered(std::string text) {
  for (auto& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

struct Url {
  std::string host;
  int port = 0;
  std::string target;
};

Url url_of(const std::string& text) {
  constexpr std::string_view scheme = "http://";
  if (!text.starts_with(scheme)) throw Failed{"'" + text + "' is no http:// address"};
  const auto rest = text.substr(scheme.size());
  const auto slash = std::min(rest.find('/'), rest.size());
  const auto colon = rest.rfind(':', slash);
  if (colon == std::string::npos) throw Failed{"'" + text + "' names no port"};
  const auto port = rest.substr(colon + 1, slash - colon - 1);
  return {rest.substr(0, colon), std::atoi(port.c_str()), rest.substr(slash)};
}

int connected(const Url& url) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(url.port));
  if (::inet_pton(AF_INET, url.host.c_str(), &address.sin_addr) != 1)
    throw Failed{"'" + url.host + "' is no address"};
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(socket, generic, sizeof address) == 0) return socket;
  const auto why = std::string(std::strerror(errno));
  ::close(socket);
  throw Failed{fmt::format("nobody listens at {}:{}: {}", url.host, url.port, why)};
}

std::string request_text(const JsonObject& step, const std::string& method, const Url& url) {
  auto text = fmt::format("{} {} HTTP/1.1\r\nconnection: close\r\n", method, url.target);
  bool typed = false;
  bool hosted = false;
  for (const auto& [name, value] : map_of(step, "headers")) {
    typed = typed || lowered(std::string(name)) == "content-type";
    hosted = hosted || lowered(std::string(name)) == "host";
    text += fmt::format("{}: {}\r\n", std::string_view(name),
                        value.is_string() ? std::string(value.get_string()) : json::print(value));
  }
  if (!hosted) text += fmt::format("host: {}:{}\r\n", url.host, url.port);
  const auto* body = step.if_contains("body");
  if (body == nullptr) return text + "\r\n";
  const auto content = body->is_string() ? std::string(body->get_string()) : json::print(*body);
  if (!typed) text += "content-type: application/json\r\n";
  return text + fmt::format("content-length: {}\r\n\r\n{}", content.size(), content);
}

HttpAnswer parsed(const std::string& text) {
  HttpAnswer answer;
  const auto end = text.find("\r\n\r\n");
  constexpr std::string_view version = "HTTP/1.1 ";
  if (end == std::string::npos || !text.starts_with(version)) return answer;
  answer.status = std::atoi(text.c_str() + version.size());
  for (auto at = text.find("\r\n") + 2; at < end;) {
    const auto line_end = text.find("\r\n", at);
    const auto colon = text.find(": ", at);
    answer.headers.emplace_back(lowered(text.substr(at, colon - at)),
                                text.substr(colon + 2, line_end - colon - 2));
    at = line_end + 2;
  }
  answer.body = text.substr(end + 4);
  return answer;
}

Json body_value(const HttpAnswer& answer) {
  auto value = json::parse(answer.body);
  return value ? std::move(*value) : Json(answer.body);
}

std::string shown(const HttpAnswer& answer) {
  return json::print(as_value(answer)).substr(0, 2'000);
}

}  // namespace

std::optional<std::string> HttpAnswer::header(std::string_view name) const {
  for (const auto& [known, value] : headers) {
    if (known == name) return value;
  }
  return std::nullopt;
}

HttpRequest::HttpRequest(const JsonObject& step, const std::string& base) {
  const auto line = text_of(step, "http");
  const auto space = line.find(' ');
  if (space == std::string::npos) throw Failed{"http takes a method and a path: '" + line + "'"};
  const auto path = line.substr(space + 1);
  const auto url = url_of(path.starts_with("http://") ? path : base + path);
  const auto text = request_text(step, line.substr(0, space), url);
  socket_ = connected(url);
  for (std::size_t sent = 0; sent < text.size();) {
    const auto wrote = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;
    sent += static_cast<std::size_t>(wrote);
  }
}

HttpRequest::HttpRequest(HttpRequest&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)) {}

HttpRequest::~HttpRequest() {
  if (socket_ >= 0) ::close(socket_);
}

HttpAnswer HttpRequest::read(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::array<char, 64 << 10> chunk{};
  std::string text;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd waiting{socket_, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) == 0)
      throw Failed{fmt::format("no answer within {} ms", patience.count())};
    const auto got = ::read(socket_, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return parsed(text);
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

Json as_value(const HttpAnswer& answer) {
  JsonObject headers;
  for (const auto& [name, value] : answer.headers) headers[name] = value;
  return {{"status", answer.status}, {"headers", std::move(headers)}, {"body", body_value(answer)}};
}

std::string as_kept(const HttpAnswer& answer) {
  return fmt::format("{} {}", answer.status, answer.body);
}

std::optional<std::string> http_mismatch(const JsonObject& expected, const HttpAnswer& answer) {
  if (flag_of(expected, "lost") != (answer.status == 0))
    return answer.status == 0 ? "the connection ended before the answer"
                              : "expected no answer, found " + shown(answer);
  if (answer.status == 0) return std::nullopt;
  const auto* status = expected.if_contains("status");
  const auto wanted = status == nullptr ? 200 : status->as_int64();
  if (answer.status != wanted)
    return fmt::format("expected status {}, found {}", wanted, shown(answer));
  for (const auto& [key, match] :
       {std::pair{"response", Match::partly}, std::pair{"exactly", Match::wholly}}) {
    const auto* body = expected.if_contains(key);
    if (body == nullptr) continue;
    if (const auto why = mismatch(*body, body_value(answer), match)) return "body: " + *why;
  }
  if (const auto* text = expected.if_contains("text")) {
    if (const auto why = text_mismatch(*text, answer.body)) return "body: " + *why;
  }
  if (const auto* headers = expected.if_contains("receives")) {
    if (const auto why = mismatch(*headers, as_value(answer).at("headers"), Match::partly))
      return "headers: " + *why;
  }
  if (const auto same = text_of(expected, "same"); !same.empty() && same != as_kept(answer))
    return fmt::format("expected {}, found {}", same, as_kept(answer));
  const bool replayed = answer.header("idempotency-replayed").has_value();
  if (replayed == flag_of(expected, "replayed")) return std::nullopt;
  return replayed ? "it is a first reply given again, which was not expected"
                  : "expected a first reply given again (`replayed`), found " + shown(answer);
}

}  // namespace toa::scenarios
