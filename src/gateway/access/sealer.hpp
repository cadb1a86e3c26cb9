#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "gateway/access/token_key.hpp"

namespace toa::gateway {

/// Encrypts what the gateway gives away and takes back: a compact JWE of `alg: dir`,
/// `enc: A256GCM` (G187). The first key encrypts; any opens (G188). Thread-safe.
class Sealer {
 public:
  /// Refuses a list without keys, or with one that is none.
  static Result<Sealer> make(const std::vector<TokenKey>& keys);

  std::string seal(std::string_view text) const;
  /// Nothing where it was not sealed by one of the keys, or changed since.
  std::optional<std::string> open(std::string_view sealed) const;

 private:
  struct Key;
  explicit Sealer(std::vector<std::shared_ptr<const Key>> keys);

  std::vector<std::shared_ptr<const Key>> keys_;
};

}  // namespace toa::gateway
