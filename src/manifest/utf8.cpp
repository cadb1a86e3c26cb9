#include "manifest/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace toa::manifest {
namespace {

static_assert(sizeof(wchar_t) == 4, "a wide character must hold any code point");

struct Lead {
  std::size_t length;
  std::uint32_t bits;
};

Lead lead(unsigned char c) {
  if (c < 0x80) return {1, c};
  if (c >= 0xc2 && c < 0xe0) return {2, c & 0x1fu};
  if (c >= 0xe0 && c < 0xf0) return {3, c & 0x0fu};
  if (c >= 0xf0 && c < 0xf5) return {4, c & 0x07u};
  return {0, 0};
}

constexpr std::array<std::uint32_t, 5> smallest_of_length{0, 0, 0x80, 0x800, 0x10000};

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

}  // namespace

std::optional<std::wstring> characters(std::string_view text) {
  std::wstring out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    auto [length, code] = lead(static_cast<unsigned char>(text[at]));
    if (length == 0 || at + length > text.size()) return std::nullopt;
    for (std::size_t i = 1; i < length; ++i) {
      if (!is_continuation(text[at + i])) return std::nullopt;
      code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3fu);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < smallest_of_length[length] || code > 0x10ffff || surrogate) return std::nullopt;
    out.push_back(static_cast<wchar_t>(code));
    at += length;
  }
  return out;
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, std::not_fn(is_continuation)));
}

}  // namespace toa::manifest
