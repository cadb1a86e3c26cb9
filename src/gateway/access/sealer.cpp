#include "gateway/access/sealer.hpp"

#include <array>
#include <cstdlib>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "gateway/access/jose.hpp"

namespace toa::gateway {
namespace {

struct Unreference {
  void operator()(json_t* json) const { ::json_decref(json); }
};
using Jansson = std::unique_ptr<json_t, Unreference>;

Jansson string_of(std::string_view value) {
  return Jansson(::json_stringn(value.data(), value.size()));
}

std::string_view member(const Jansson& object, const char* name) {
  const auto* value = ::json_object_get(object.get(), name);
  require(json_is_string(value), "the library left out a part of a token");
  return {::json_string_value(value), ::json_string_length(value)};
}

/// The parts of the compact form: header, encrypted key (none), vector, text, tag.
std::optional<std::array<std::string_view, 5>> parts_of(std::string_view sealed) {
  std::array<std::string_view, 5> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto dot = sealed.find('.');
    if ((dot == std::string_view::npos) != (i + 1 == parts.size())) return std::nullopt;
    parts[i] = sealed.substr(0, dot);
    sealed.remove_prefix(dot == std::string_view::npos ? sealed.size() : dot + 1);
  }
  return parts[1].empty() ? std::optional(parts) : std::nullopt;
}

/// Only our own header: what a token says of how to open it is a stranger's word.
constexpr std::string_view header = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0";

}  // namespace

struct Sealer::Key {
  Jansson jwk;
};

Sealer::Sealer(std::vector<std::shared_ptr<const Key>> keys) : keys_(std::move(keys)) {}

Result<Sealer> Sealer::make(const std::vector<TokenKey>& keys) {
  if (keys.empty()) return fail(ErrorKind::invalid, "there is no key for tokens");
  std::vector<std::shared_ptr<const Key>> read;
  for (const auto& key : keys) {
    if (auto checked = check_token_key(key); !checked) return std::unexpected(checked.error());
    auto made = std::make_shared<Key>(Jansson(::json_object()));
    ::json_object_set_new(made->jwk.get(), "kty", ::json_string("oct"));
    ::json_object_set_new(made->jwk.get(), "k", string_of(key.text).release());
    read.push_back(std::move(made));
  }
  return Sealer(std::move(read));
}

std::string Sealer::seal(std::string_view plain) const {
  const Jansson jwe(::json_object());
  ::json_object_set_new(jwe.get(), "protected",
                        ::json_pack("{s:s,s:s}", "alg", "dir", "enc", "A256GCM"));
  const bool sealed = ::jose_jwe_enc(nullptr, jwe.get(), nullptr, keys_.front()->jwk.get(),
                                     plain.data(), plain.size());
  require(sealed, "a token cannot be encrypted");
  require(member(jwe, "protected") == header, "the library writes another header");
  std::string out(header);
  out += '.';
  for (const auto* part : {"iv", "ciphertext", "tag"}) {
    out += '.';
    out += member(jwe, part);
  }
  return out;
}

std::optional<std::string> Sealer::open(std::string_view sealed) const {
  if (sealed.size() > limits::token_bytes_max) return std::nullopt;
  const auto parts = parts_of(sealed);
  if (!parts || (*parts)[0] != header) return std::nullopt;
  const Jansson jwe(::json_object());
  ::json_object_set_new(jwe.get(), "protected", string_of((*parts)[0]).release());
  ::json_object_set_new(jwe.get(), "iv", string_of((*parts)[2]).release());
  ::json_object_set_new(jwe.get(), "ciphertext", string_of((*parts)[3]).release());
  ::json_object_set_new(jwe.get(), "tag", string_of((*parts)[4]).release());
  for (const auto& key : keys_) {
    std::size_t size = 0;
    const std::unique_ptr<void, decltype(&::free)> plain(
        ::jose_jwe_dec(nullptr, jwe.get(), nullptr, key->jwk.get(), &size), &::free);
    if (plain) return std::string(static_cast<const char*>(plain.get()), size);
  }
  return std::nullopt;
}

}  // namespace toa::gateway
