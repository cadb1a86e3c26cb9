#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/limits.hpp"
#include "gateway/http/request.hpp"

namespace toa::gateway::http {

/// How much of one request is taken.
struct Bounds {
  std::size_t head_bytes = limits::http_head_bytes_max;
  std::size_t body_bytes = limits::http_body_bytes_max;
};

/// Reads requests of HTTP/1.1 out of bytes, without any I/O. It is stricter than it might be:
/// whatever another server between the client and us could read in two ways is refused, and nothing
/// after it is read.
class Parser {
 public:
  enum class State {
    head,      // the head is not there yet
    body,      // the head is; the body is not
    complete,  // `into` holds a request
    failed,    // nothing more can be read; `status` says why
  };

  Parser(Request& into, Bounds bounds);
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// Takes what it can of `bytes` and says how much; what it did not take is given again, with more
  /// behind it. Takes nothing once complete or failed.
  std::size_t take(std::string_view bytes);

  State state() const;
  /// 400, 413, 417 or 431: of a request that failed.
  int status() const;
  /// The client waits for a `100 Continue` before it sends the body.
  bool waits_for_continue() const;

  /// Makes ready for the next request. `into` must be cleared.
  void restart();

 private:
  class Core;
  Request& into_;
  Bounds bounds_;
  std::unique_ptr<Core> core_;
};

}  // namespace toa::gateway::http
