#include "gateway/access/token_key.hpp"

#include <array>
#include <openssl/rand.h>

#include "gateway/access/jose.hpp"

namespace toa::gateway {
namespace {

constexpr std::size_t key_bytes = 32;

}  // namespace

Result<std::string> new_token_key() {
  std::array<unsigned char, key_bytes> bytes{};
  if (::RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
    return fail(ErrorKind::unavailable, "the system gives no random bytes for a key");
  std::string text(::jose_b64_enc_buf(nullptr, bytes.size(), nullptr, 0), '\0');
  ::jose_b64_enc_buf(bytes.data(), bytes.size(), text.data(), text.size());
  return text;
}

Result<void> check_token_key(const TokenKey& key) {
  std::array<unsigned char, key_bytes> bytes{};
  const auto size = ::jose_b64_dec_buf(key.text.data(), key.text.size(), nullptr, 0);
  if (size == key_bytes &&
      ::jose_b64_dec_buf(key.text.data(), key.text.size(), bytes.data(), bytes.size()) == key_bytes)
    return {};
  return fail(ErrorKind::invalid, "the token key '" + key.id +
                                      "' is not 32 bytes in base64url; `toa key` prints a new one");
}

}  // namespace toa::gateway
