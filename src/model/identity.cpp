#include "model/identity.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "base/sha256.hpp"

namespace toa {
namespace {

constexpr std::size_t prefix_bytes = 6;

Identity chained(const Identity& parent, const Sha256& hash) {
  Identity::Bytes bytes = parent.bytes();
  std::copy_n(hash.begin(), bytes.size() - prefix_bytes, bytes.begin() + prefix_bytes);
  return Identity(bytes);
}

}  // namespace

std::optional<Identity> Identity::parse(std::string_view text) {
  Bytes bytes{};
  if (!from_hex(text, bytes)) return std::nullopt;
  return Identity(bytes);
}

std::string Identity::hex() const {
  return to_hex(bytes_);
}

Identity::Bytes new_uuid7(const Clock& clock, Random& random) {
  Identity::Bytes bytes{};
  const auto now = static_cast<std::uint64_t>(clock.now());
  for (std::size_t i = 0; i < prefix_bytes; ++i) {
    bytes[i] = static_cast<std::uint8_t>(now >> (8 * (prefix_bytes - 1 - i)));
  }
  const auto high = random.next();
  const auto low = random.next();
  bytes[6] = static_cast<std::uint8_t>(0x70 | (high >> 8 & 0x0f));
  bytes[7] = static_cast<std::uint8_t>(high);
  for (std::size_t i = 0; i < 8; ++i) bytes[8 + i] = static_cast<std::uint8_t>(low >> (8 * i));
  bytes[8] = static_cast<std::uint8_t>(0x80 | (bytes[8] & 0x3f));
  return bytes;
}

Identity new_identity(const Clock& clock, Random& random) {
  return Identity(new_uuid7(clock, random));
}

Identity call_identity(const Identity& parent, std::string_view serving, std::string_view called,
                       Ordinal ordinal) {
  const auto counted = std::to_string(ordinal.value);
  return chained(parent, sha256_framed({"toa:1:call", parent.view(), serving, called, counted}));
}

bool in_one_chain(const Identity& one, const Identity& other) {
  return one.view().substr(0, prefix_bytes) == other.view().substr(0, prefix_bytes);
}

Identity event_identity(const Identity& record, std::string_view label) {
  return chained(record, sha256_framed({"toa:1:event", record.view(), label}));
}

Identity key_identity(const ClientKey& key) {
  const auto hash =
      sha256_framed({"toa:1:key", key.authority, key.caller, key.method, key.path, key.key});
  Identity::Bytes bytes{};
  std::copy_n(hash.begin(), bytes.size(), bytes.begin());
  return Identity(bytes);
}

}  // namespace toa
