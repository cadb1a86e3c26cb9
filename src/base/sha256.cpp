#include "base/sha256.hpp"

#include <openssl/evp.h>
#include <string>

#include "base/assert.hpp"

namespace toa {

Sha256 sha256_framed(std::initializer_list<std::string_view> parts) {
  // Room for what identities are made of.
  constexpr std::size_t usual_bytes = 480;
  std::string bytes;
  bytes.reserve(usual_bytes);
  for (const auto part : parts) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(part.size()) >> shift & 0xff));
    }
    bytes.append(part);
  }
  // Fetched once: what EVP_sha256 names is looked up again by each digest.
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  Sha256 out{};
  unsigned int size = 0;
  const int ok = EVP_Digest(bytes.data(), bytes.size(), out.data(), &size, algorithm, nullptr);
  require(ok == 1 && size == out.size(), "SHA-256 failed");
  return out;
}

}  // namespace toa
