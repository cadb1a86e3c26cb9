#include "gateway/access/roles.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace toa::gateway {
namespace {

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

bool is_role(std::string_view text) {
  if (text.size() > limits::role_bytes_max) return false;
  std::size_t segment = 0;
  for (const char c : text) {
    if (c == ':') {
      if (segment == 0) return false;
      segment = 0;
    } else if (!is_alphanumeric(c) || ++segment > limits::role_segment_bytes_max) {
      return false;
    }
  }
  return segment > 0;
}

bool covers(std::string_view held, std::string_view required) {
  return required.starts_with(held) &&
         (required.size() == held.size() || required[held.size()] == ':');
}

bool covers(const std::vector<std::string>& held, std::string_view required) {
  return std::ranges::any_of(held, [&](const auto& role) { return covers(role, required); });
}

bool is_system(std::string_view role) {
  return covers("system", role);
}

}  // namespace toa::gateway
