#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toa::gateway {

/// The path of a request, taken apart.
struct Path {
  /// Decoded, once.
  std::vector<std::string> segments;
  /// One spelling for all that mean the same, with its trailing slash: the path of an identity
  /// (D7).
  std::string canonical;
  /// It ended with a slash (G32).
  bool slashed = false;
};

/// Nothing where it is none: not from the root, an encoding that is damaged or no UTF-8, an empty
/// segment, `.` or `..`, a slash, a backslash or a control character that hides in an encoding.
std::optional<Path> read_path(std::string_view text);

}  // namespace toa::gateway
