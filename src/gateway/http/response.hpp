#pragma once

#include <string>
#include <string_view>

namespace toa::gateway::http {

/// One response, yet to be written. Used again for the requests of one connection.
class Response {
 public:
  int status = 200;
  std::string body;
  /// The request was a HEAD: everything but the body is sent.
  bool without_body = false;
  /// The connection ends with it.
  bool closes = false;

  /// Adds a header. What would end its line is made a space: a value may hold what a client sent.
  void add(std::string_view name, std::string_view value);
  const std::string& fields() const { return fields_; }
  void clear();

  /// Appends it as it goes over the wire; `date` is the value of that header.
  void write_to(std::string& out, std::string_view date) const;

 private:
  std::string fields_;
};

/// `Not Found`; empty for a status that has no name.
std::string_view reason(int status);

/// The value of a `date` header: `Tue, 01 Dec 2026 03:16:06 GMT`. Seconds since the epoch.
std::string http_date(long long seconds);

}  // namespace toa::gateway::http
