#include "gateway/trace.hpp"

#include <algorithm>
#include <array>

#include "base/hex.hpp"

namespace toa::gateway {
namespace {

constexpr std::size_t ray_size = 32;

bool is_ray(std::string_view text) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  const auto is_zero = [](char c) { return c == '0'; };
  return text.size() == ray_size && std::ranges::all_of(text, is_hex) &&
         !std::ranges::all_of(text, is_zero);
}

/// `00-<trace>-<span>-<flags>`.
std::optional<std::string_view> trace_of_parent(std::string_view parent) {
  constexpr std::size_t size = 55;
  const bool shaped = parent.size() >= size && parent[2] == '-' && parent[35] == '-' &&
                      parent[52] == '-' && !parent.starts_with("ff");
  if (!shaped || !is_ray(parent.substr(3, ray_size))) return std::nullopt;
  if (parent.starts_with("00") && parent.size() != size) return std::nullopt;
  return parent.substr(3, ray_size);
}

std::string new_ray(Random& random) {
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    auto number = random.next();
    for (std::size_t j = 0; j < 8; ++j, number >>= 8)
      bytes[i + j] = static_cast<std::uint8_t>(number & 0xff);
  }
  return to_hex(bytes);
}

}  // namespace

std::string trace_of(const http::Request& request, Random& random) {
  if (const auto parent = request.find("traceparent")) {
    if (const auto trace = trace_of_parent(*parent)) return std::string(*trace);
  }
  if (const auto ray = request.find("ray"); ray && is_ray(*ray)) return std::string(*ray);
  return new_ray(random);
}

}  // namespace toa::gateway
