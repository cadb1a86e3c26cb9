#include "manifest/scalar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace toa::manifest {
namespace {

constexpr std::uint64_t exact_integer_max = std::uint64_t{1} << 53;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, text) != words.end();
}

bool is_null(std::string_view text) {
  constexpr std::array<std::string_view, 5> words{"", "~", "null", "Null", "NULL"};
  return is_one_of(text, words);
}

std::optional<bool> boolean(std::string_view text) {
  constexpr std::array<std::string_view, 3> yes{"true", "True", "TRUE"};
  constexpr std::array<std::string_view, 3> no{"false", "False", "FALSE"};
  if (is_one_of(text, yes)) return true;
  if (is_one_of(text, no)) return false;
  return std::nullopt;
}

struct Integer {
  bool negative = false;
  int base = 10;
  std::string digits;
};

/// `12`, `-0x1f`, `0o17`, `0b101`, `1_000`.
std::optional<Integer> integer(std::string_view text) {
  Integer read;
  if (text.starts_with('-') || text.starts_with('+')) {
    read.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  for (const auto& [prefix, base] : {std::pair{"0x", 16}, {"0o", 8}, {"0b", 2}}) {
    if (!text.starts_with(prefix)) continue;
    read.base = base;
    text.remove_prefix(2);
    break;
  }
  if (text.empty() || text.front() == '_' || text.back() == '_') return std::nullopt;
  for (const char c : text) {
    if (c != '_') read.digits.push_back(c);
  }
  const auto fits = [&](char c) {
    return read.base == 16 ? is_hex_digit(c) : is_digit(c) && c - '0' < read.base;
  };
  if (!std::ranges::all_of(read.digits, fits)) return std::nullopt;
  return read;
}

/// `1.5`, `.5`, `5.`, `1e3`.
bool is_float(std::string_view text) {
  const auto skip = [&](auto predicate) {
    std::size_t count = 0;
    while (count < text.size() && predicate(text[count])) ++count;
    text.remove_prefix(count);
    return count;
  };
  const auto skip_one = [&](std::string_view set) {
    const bool found = !text.empty() && set.find(text.front()) != std::string_view::npos;
    if (found) text.remove_prefix(1);
    return found;
  };
  skip_one("+-");
  auto digits = skip(is_digit);
  if (skip_one(".")) digits += skip(is_digit);
  if (digits == 0) return false;
  if (skip_one("eE")) {
    skip_one("+-");
    if (skip(is_digit) == 0) return false;
  }
  return text.empty();
}

bool is_not_finite(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  constexpr std::array<std::string_view, 6> words{".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"};
  return is_one_of(text, words);
}

std::expected<Json, std::string> number(const Integer& read, std::string_view text) {
  std::uint64_t value = 0;
  const auto* end = read.digits.data() + read.digits.size();
  const auto error = std::from_chars(read.digits.data(), end, value, read.base).ec;
  if (error != std::errc{} || value > exact_integer_max) {
    return std::unexpected("integer " + std::string(text) +
                           " is beyond 2^53 and would lose digits; quote it to make it a string");
  }
  const auto exact = static_cast<std::int64_t>(value);
  return Json(read.negative ? -exact : exact);
}

std::expected<Json, std::string> float_number(std::string_view text) {
  double value = 0;
  const auto start = text.starts_with('+') ? text.substr(1) : text;
  const auto error = std::from_chars(start.data(), start.data() + start.size(), value).ec;
  if (error != std::errc{} || !std::isfinite(value)) {
    return std::unexpected("number " + std::string(text) + " is beyond what a double can hold");
  }
  const bool exact =
      std::trunc(value) == value && std::abs(value) <= static_cast<double>(exact_integer_max);
  return exact ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

}  // namespace

std::expected<Json, std::string> plain_scalar(std::string_view text) {
  if (is_null(text)) return Json(nullptr);
  if (const auto flag = boolean(text)) return Json(*flag);
  if (text.size() == 32 && std::ranges::all_of(text, is_hex_digit)) return Json(text);
  if (const auto read = integer(text)) return number(*read, text);
  if (is_float(text)) return float_number(text);
  if (is_not_finite(text)) {
    return std::unexpected("'" + std::string(text) + "' is no number that JSON has");
  }
  return Json(text);
}

}  // namespace toa::manifest
