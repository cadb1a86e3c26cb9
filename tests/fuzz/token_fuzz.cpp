#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "gateway/access/credentials.hpp"
#include "gateway/access/sealer.hpp"
#include "gateway/access/token.hpp"

namespace {

toa::gateway::Sealer sealer() {
  return *toa::gateway::Sealer::make({{"key0", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto seals = sealer();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are what a text is made of
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  toa::require(!seals.open(text), "nobody seals without the key");
  if (const auto token = toa::gateway::Token::read(text)) {
    const auto again = toa::gateway::Token::read(token->text());
    toa::require(again && again->text() == token->text(), "a token is read back as it was written");
  }
  if (const auto header = toa::gateway::Authorization::read(text)) {
    toa::gateway::UserPassword::read(header->text);
    toa::gateway::read_base64url(header->text);
  }
  return 0;
}
