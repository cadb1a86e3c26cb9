#include "gateway/identity.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"

namespace toa::gateway {

std::expected<std::optional<Identity>, Refused> identity_of(const Exchange& exchange) {
  auto key = exchange.request.find("idempotency-key");
  if (!key) return std::nullopt;
  // Several lines are one value, as for any header.
  std::optional<std::string> joined;
  if (exchange.request.count("idempotency-key") > 1) {
    joined = exchange.request.joined("idempotency-key");
    key = *joined;
  }
  // Whoever sends it relies on it: a variable that is not set must not pass for no key.
  if (key->empty()) return std::unexpected(Refused{400, "idempotency-key is empty"});
  if (key->size() > limits::idempotency_key_bytes_max) {
    return std::unexpected(Refused{400, fmt::format("idempotency-key is longer than {} bytes",
                                                    limits::idempotency_key_bytes_max)});
  }
  return key_identity({.authority = exchange.authority,
                       .caller = exchange.caller ? std::string_view(exchange.caller->id) : "",
                       .method = exchange.request.method(),
                       .path = exchange.path,
                       .key = *key});
}

}  // namespace toa::gateway
