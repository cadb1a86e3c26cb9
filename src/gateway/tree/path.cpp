#include "gateway/tree/path.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/limits.hpp"
#include "gateway/formats/form.hpp"

namespace toa::gateway {
namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

bool hides_something(std::string_view segment) {
  return std::ranges::any_of(segment, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f || c == '/' || c == '\\';
  });
}

void append_encoded(std::string& out, std::string_view segment) {
  for (const char c : segment) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
}

/// Whether it is added.
bool add_segment(Path& path, std::string_view text) {
  if (text.empty() || path.segments.size() >= limits::path_segments_max) return false;
  if (std::ranges::all_of(text, is_unreserved)) {
    if (text == "." || text == "..") return false;
    path.segments.emplace_back(text);
    path.canonical += text;
  } else {
    auto decoded = percent_decoded(text, Plus::is_plus);
    if (!decoded || *decoded == "." || *decoded == ".." || hides_something(*decoded)) return false;
    append_encoded(path.canonical, *decoded);
    path.segments.push_back(std::move(*decoded));
  }
  path.canonical += '/';
  return true;
}

}  // namespace

std::optional<Path> read_path(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  Path path;
  path.canonical.reserve(text.size() + 1);
  path.canonical = "/";
  const auto slashes = static_cast<std::size_t>(std::ranges::count(text, '/'));
  path.segments.reserve(std::min(slashes, limits::path_segments_max));
  path.slashed = text.ends_with('/');
  auto rest = text.substr(1);
  while (!rest.empty()) {
    const auto slash = rest.find('/');
    if (!add_segment(path, rest.substr(0, slash))) return std::nullopt;
    rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
  }
  return path;
}

}  // namespace toa::gateway
