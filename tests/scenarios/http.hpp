#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"

namespace toa::scenarios {

/// What an HTTP request came to; no status where the connection ended before an answer.
struct HttpAnswer {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;

  std::optional<std::string> header(std::string_view name) const;
};

/// One request on a connection of its own.
class HttpRequest {
 public:
  /// Sends what a step says: `http: GET /path/`, or a whole URL in place of the path, `headers`,
  /// `body`. `base` is where the application serves. Throws Failed where nobody listens.
  HttpRequest(const JsonObject& step, const std::string& base);
  ~HttpRequest();
  HttpRequest(HttpRequest&& other) noexcept;
  HttpRequest(const HttpRequest&) = delete;
  HttpRequest& operator=(const HttpRequest&) = delete;
  HttpRequest& operator=(HttpRequest&&) = delete;

  HttpAnswer read(std::chrono::milliseconds patience);

 private:
  int socket_ = -1;
};

/// Why an answer is not what the step expects; nothing where it is.
std::optional<std::string> http_mismatch(const JsonObject& expected, const HttpAnswer& answer);

/// The answer as one value: `status`, `headers`, `body` (JSON, or a text).
Json as_value(const HttpAnswer& answer);

/// Status and body, to the byte.
std::string as_kept(const HttpAnswer& answer);

}  // namespace toa::scenarios
