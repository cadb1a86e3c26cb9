#include "gateway/access/credentials.hpp"

#include <algorithm>
#include <openssl/evp.h>
#include <vector>

#include "base/limits.hpp"
#include "gateway/http/request.hpp"
#include "manifest/utf8.hpp"

namespace toa::gateway {
namespace {

constexpr std::size_t base64_group = 4;

bool is_base64(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/';
}

/// Base64, its padding left out or not.
std::optional<std::string> read_base64(std::string text) {
  while (!text.empty() && text.back() == '=') text.pop_back();
  if (text.size() % base64_group == 1 || !std::ranges::all_of(text, is_base64)) return std::nullopt;
  const auto padding = (base64_group - text.size() % base64_group) % base64_group;
  text.append(padding, '=');
  std::string bytes(text.size(), '\0');
  const auto size = ::EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                      reinterpret_cast<const unsigned char*>(text.data()),
                                      static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

}  // namespace

std::optional<Authorization> Authorization::read(std::string_view header) {
  const auto space = header.find(' ');
  if (space == std::string_view::npos || space == 0) return std::nullopt;
  const auto text = header.find_first_not_of(' ', space);
  if (text == std::string_view::npos) return std::nullopt;
  return Authorization{header.substr(0, space), header.substr(text)};
}

bool Authorization::is(std::string_view name) const {
  return http::same_name(scheme, name);
}

std::optional<UserPassword> UserPassword::read(std::string_view base64) {
  constexpr auto most = 2 * (limits::username_bytes_max + limits::password_bytes_max);
  if (base64.size() > most) return std::nullopt;
  const auto text = read_base64(std::string(base64));
  const auto colon = text ? text->find(':') : std::string::npos;
  if (colon == std::string::npos || !manifest::characters(*text)) return std::nullopt;
  UserPassword read{text->substr(0, colon), text->substr(colon + 1)};
  if (read.username.size() > limits::username_bytes_max ||
      read.password.size() > limits::password_bytes_max)
    return std::nullopt;
  return read;
}

std::optional<std::string> read_base64url(std::string_view text) {
  std::string plain(text);
  for (auto& c : plain) {
    if (c == '+' || c == '/') return std::nullopt;
    if (c == '-') c = '+';
    if (c == '_') c = '/';
  }
  return read_base64(std::move(plain));
}

}  // namespace toa::gateway
