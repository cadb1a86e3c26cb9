#include "gateway/access/passwords.hpp"

#include <array>
#include <crypt.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "async/completion.hpp"
#include "base/assert.hpp"
#include "base/limits.hpp"

namespace toa::gateway {
namespace {

constexpr std::size_t salt_bytes = 16;

std::string digest(std::string_view password, std::string_view pepper) {
  std::array<unsigned char, 32> bytes{};
  const auto* text = reinterpret_cast<const unsigned char*>(password.data());
  ::HMAC(::EVP_sha256(), pepper.data(), static_cast<int>(pepper.size()), text, password.size(),
         bytes.data(), nullptr);
  std::array<unsigned char, 45> base64{};
  const auto size = ::EVP_EncodeBlock(base64.data(), bytes.data(), static_cast<int>(bytes.size()));
  return {reinterpret_cast<const char*>(base64.data()), static_cast<std::size_t>(size)};
}

/// Empty where the setting is none.
std::string bcrypt(const std::string& digest, const std::string& setting) {
  const auto data = std::make_unique<crypt_data>();
  const char* hashed = ::crypt_rn(digest.c_str(), setting.c_str(), data.get(), sizeof(crypt_data));
  return hashed == nullptr ? std::string() : std::string(hashed);
}

std::string new_setting(int rounds) {
  std::array<char, salt_bytes> salt{};
  const bool filled = ::RAND_bytes(reinterpret_cast<unsigned char*>(salt.data()), salt_bytes) == 1;
  require(filled, "the system gives no random bytes for a salt");
  std::array<char, CRYPT_GENSALT_OUTPUT_SIZE> setting{};
  const auto* made = ::crypt_gensalt_rn("$2b$", static_cast<unsigned long>(rounds), salt.data(),
                                        salt_bytes, setting.data(), setting.size());
  require(made != nullptr, "there is no bcrypt with that many rounds");
  return made;
}

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

Passwords::Passwords(Loop& loop, std::vector<Executor*> threads, PasswordTerms terms)
    : loop_(loop), threads_(std::move(threads)), terms_(std::move(terms)) {
  require(!threads_.empty(), "passwords are hashed on a thread");
}

Task<Result<std::string>> Passwords::crypt(std::string password, std::string setting) {
  if (waiting_ >= limits::passwords_waiting_max)
    co_return fail(ErrorKind::overloaded, "too many passwords wait to be checked");
  ++waiting_;
  Completion<std::string> done(loop_);
  const auto text = digest(password, terms_.pepper);
  threads_[next_++ % threads_.size()]->post([this, &done, &text, &setting] {
    loop_.post([&done, hashed = bcrypt(text, setting)] { done.complete(hashed); });
  });
  auto hashed = co_await done;
  --waiting_;
  if (hashed.empty()) co_return fail(ErrorKind::broken, "a password cannot be hashed");
  co_return hashed;
}

Task<Result<std::string>> Passwords::hash(std::string password) {
  co_return co_await crypt(std::move(password), new_setting(terms_.rounds));
}

Task<Result<bool>> Passwords::matches(std::string password, std::string hash) {
  const bool known = !hash.empty();
  const auto setting =
      known ? hash : fmt::format("$2b${:02}$abcdefghijklmnopqrstuu", terms_.rounds);
  auto hashed = co_await crypt(std::move(password), setting);
  if (!hashed) co_return std::unexpected(std::move(hashed.error()));
  co_return known&& same(*hashed, hash);
}

}  // namespace toa::gateway
