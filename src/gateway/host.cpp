#include "gateway/host.hpp"

#include <algorithm>

namespace toa::gateway {
namespace {

constexpr std::size_t host_bytes_max = 255 + 6;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_port(std::string_view port) {
  return !port.empty() && port.size() <= 5 && std::ranges::all_of(port, is_digit);
}

bool is_name(std::string_view name) {
  const auto allowed = [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_';
  };
  return !name.empty() && name.front() != '.' && name.front() != '-' &&
         name.find("..") == std::string_view::npos && std::ranges::all_of(name, allowed);
}

bool is_ipv6(std::string_view address) {
  const auto allowed = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':' || c == '.';
  };
  return address.size() >= 2 && address.find(':') != std::string_view::npos &&
         std::ranges::all_of(address, allowed);
}

}  // namespace

bool is_host(std::string_view host) {
  if (host.size() > host_bytes_max) return false;
  if (host.starts_with('[')) {
    const auto end = host.find(']');
    if (end == std::string_view::npos || !is_ipv6(host.substr(1, end - 1))) return false;
    const auto rest = host.substr(end + 1);
    return rest.empty() || (rest.starts_with(':') && is_port(rest.substr(1)));
  }
  const auto colon = host.find(':');
  if (!is_name(host.substr(0, colon))) return false;
  return colon == std::string_view::npos || is_port(host.substr(colon + 1));
}

std::string authority_of(const Settings& settings, std::string_view host) {
  for (const auto& [name, known] : settings.authorities) {
    if (known == host) return name;
  }
  std::string lowered(host);
  for (auto& c : lowered) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return lowered;
}

}  // namespace toa::gateway
