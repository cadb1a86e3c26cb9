#pragma once

#include <cstdint>
#include <string_view>

#include "model/identity.hpp"

namespace toa::storage::sqlite {

/// What a remembered call is looked up by: 64 bits of its endpoint and identity. The seed is the
/// file's own, so that nobody outside can choose identities that collide.
class CallHash {
 public:
  explicit CallHash(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t operator()(std::string_view endpoint, const Identity& identity) const;

 private:
  std::uint64_t seed_;
};

}  // namespace toa::storage::sqlite
