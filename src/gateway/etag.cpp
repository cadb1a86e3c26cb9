#include "gateway/etag.hpp"

#include <span>

#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "gateway/formats/media.hpp"

namespace toa::gateway {

std::string etag_of(std::string_view body) {
  constexpr std::size_t bytes = 16;
  const auto hash = sha256_framed({"toa:1:etag", body});
  return "\"" + to_hex(std::span(hash).first(bytes)) + "\"";
}

bool matches_etag(std::string_view header, std::string_view tag) {
  while (!header.empty()) {
    auto one = trimmed(take_part(header, ','));
    if (one == "*") return true;
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == tag) return true;
  }
  return false;
}

}  // namespace toa::gateway
