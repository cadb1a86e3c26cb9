#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.hpp"

namespace toa::gateway::http {

/// Whether two names of headers are the same: ASCII letters match in either case.
bool same_name(std::string_view a, std::string_view b);

/// One request, read whole. A connection uses one object for all its requests, so that its memory
/// is used again; texts that it gives live until `clear`.
class Request {
 public:
  struct Field {
    std::string_view name;
    std::string_view value;
  };

  std::string_view method() const { return text(method_); }
  std::string_view target() const { return text(target_); }
  std::string_view body() const { return body_; }
  /// What the body takes, which is more than what came of it.
  std::size_t body_bytes() const { return body_.capacity(); }
  bool keeps_alive() const { return keeps_alive_; }

  std::size_t field_count() const { return fields_.size(); }
  Field field(std::size_t index) const {
    return {text(fields_[index].name), text(fields_[index].value)};
  }
  /// The first of this name.
  std::optional<std::string_view> find(std::string_view name) const;
  /// All of this name, joined with `, ` as one (G140).
  std::optional<std::string> joined(std::string_view name) const;
  std::size_t count(std::string_view name) const;

  // What a parser fills in.
  void start(std::string_view method, std::string_view target);
  void add_field(std::string_view name, std::string_view value);
  void add_body(std::string_view part) { body_ += part; }
  void expect_body(std::size_t bytes) { body_.reserve(bytes); }
  void keep_alive(bool keeps) { keeps_alive_ = keeps; }
  /// Ready for the next one. Of a body's memory, no more than `kept` stays.
  void clear(std::size_t kept = limits::http_buffer_kept_bytes_max);

 private:
  struct Span {
    std::uint32_t at = 0;
    std::uint32_t size = 0;
  };
  struct Spans {
    Span name, value;
  };

  std::string_view text(Span span) const { return {head_.data() + span.at, span.size}; }
  Span append(std::string_view text);

  std::string head_;
  Span method_, target_;
  std::vector<Spans> fields_;
  std::string body_;
  bool keeps_alive_ = false;
};

}  // namespace toa::gateway::http
