#include "gateway/http/response.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <span>

#include "base/limits.hpp"

namespace toa::gateway::http {
namespace {

bool has_body(int status) {
  return status >= 200 && status != 204 && status != 304;
}

}  // namespace

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "";
  }
}

void Response::add(std::string_view name, std::string_view value) {
  fields_ += name;
  fields_ += ": ";
  const auto start = fields_.size();
  fields_ += value;
  const auto added = std::span(fields_).subspan(start);
  std::ranges::transform(added, added.begin(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f ? ' ' : c;
  });
  fields_ += "\r\n";
}

void Response::clear() {
  status = 200;
  if (body.capacity() > limits::http_buffer_kept_bytes_max) body = {};
  body.clear();
  fields_.clear();
  without_body = closes = false;
}

void Response::write_to(std::string& out, std::string_view date) const {
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", status, reason(status));
  out += fields_;
  out += "date: ";
  out += date;
  if (has_body(status)) {
    fmt::format_to(std::back_inserter(out), "\r\ncontent-length: {}", body.size());
  }
  out += closes ? "\r\nconnection: close\r\n\r\n" : "\r\n\r\n";
  if (has_body(status) && !without_body) out += body;
}

std::string http_date(long long seconds) {
  static constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     days[std::chrono::weekday(day).c_encoding()],
                     static_cast<unsigned>(date.day()),
                     months[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace toa::gateway::http
