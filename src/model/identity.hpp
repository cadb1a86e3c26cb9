#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/named.hpp"
#include "base/random.hpp"

namespace toa {

/// The identity of a call: 16 bytes, written as 32 lower-case hex digits. Two requests are the same
/// call if and only if their identities are equal (R78, R79).
class Identity {
 public:
  using Bytes = std::array<std::uint8_t, 16>;

  explicit Identity(Bytes bytes) : bytes_(bytes) {}
  /// Nothing where `text` is not 32 hex digits.
  static std::optional<Identity> parse(std::string_view text);

  const Bytes& bytes() const { return bytes_; }
  std::string_view view() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }
  std::string hex() const;

  friend auto operator<=>(const Identity&, const Identity&) = default;

 private:
  Bytes bytes_;
};

/// The how-many-eth call of one invocation to one endpoint, from zero, counted over its attempts
/// (R85).
using Ordinal = Named<struct OrdinalTag, std::uint64_t>;

/// A UUIDv7 without dashes: ids of objects, and the identity of a call that nothing causes.
Identity::Bytes new_uuid7(const Clock& clock, Random& random);
Identity new_identity(const Clock& clock, Random& random);

/// The identity of a call made by an operation: it keeps the first six bytes of `parent`, so that
/// all calls of one chain are found by that prefix, and hashes who calls whom for the how-many-eth
/// time. The serving endpoint is a part because two components may serve one event under one
/// identity.
Identity call_identity(const Identity& parent, std::string_view serving, std::string_view called,
                       Ordinal ordinal);

/// Whether they begin alike, as all calls of one chain do.
bool in_one_chain(const Identity& one, const Identity& other);

/// The identity of a receiver's delivery: of the outbox record and the event's label (R81).
Identity event_identity(const Identity& record, std::string_view label);

/// The identity that a client's `idempotency-key` gives a request: per authority, caller, method,
/// path and key (R82).
struct ClientKey {
  std::string_view authority, caller, method, path, key;
};
Identity key_identity(const ClientKey& key);

}  // namespace toa

template <>
struct std::hash<toa::Identity> {
  std::size_t operator()(const toa::Identity& identity) const noexcept {
    return std::hash<std::string_view>{}(identity.view());
  }
};
