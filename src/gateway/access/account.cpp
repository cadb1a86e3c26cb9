#include "gateway/access/account.hpp"

#include <array>

#include "base/hex.hpp"

namespace toa::gateway {
namespace {

std::string text_of(const Json& object, std::string_view name) {
  const auto* value = json::find(object, name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::optional<std::int64_t> number_of(const Json& object, std::string_view name) {
  const auto* value = json::find(object, name);
  return value != nullptr && value->is_int64() ? std::optional(value->get_int64()) : std::nullopt;
}

JsonArray items_of(const Json& object, std::string_view name) {
  const auto* value = json::find(object, name);
  return value != nullptr && value->is_array() ? value->get_array() : JsonArray{};
}

CustomToken read_token(const Json& item) {
  return {.id = text_of(item, "id"),
          .label = text_of(item, "label"),
          .created = number_of(item, "created").value_or(0),
          .expires = number_of(item, "expires"),
          .revoked = number_of(item, "revoked")};
}

JsonObject write(const CustomToken& token) {
  JsonObject item{{"id", token.id}, {"label", token.label}, {"created", token.created}};
  if (token.expires) item["expires"] = *token.expires;
  if (token.revoked) item["revoked"] = *token.revoked;
  return item;
}

}  // namespace

bool is_identity_id(std::string_view text) {
  std::array<std::uint8_t, 16> bytes{};
  return from_hex(text, bytes);
}

std::string canonical_id(std::string id) {
  std::array<std::uint8_t, 16> bytes{};
  return from_hex(id, bytes) ? to_hex(bytes) : id;
}

std::vector<std::string> Account::roles() const {
  std::vector<std::string> names;
  for (const auto& grant : grants) names.push_back(grant.role);
  return names;
}

const CustomToken* Account::token(std::string_view wanted) const {
  for (const auto& one : tokens) {
    if (one.id == wanted) return &one;
  }
  return nullptr;
}

void Account::revoke_tokens(EpochMs now) {
  for (auto& one : tokens) {
    if (!one.revoked) one.revoked = now;
  }
}

Account Account::read(const Json& object) {
  Account account;
  account.id = text_of(object, "id");
  account.version = number_of(object, "VERSION").value_or(0);
  account.authority = text_of(object, "authority");
  account.username = text_of(object, "username");
  account.claim = text_of(object, "claim");
  account.password = text_of(object, "password");
  const auto* banned = json::find(object, "banned");
  account.banned = banned != nullptr && banned->is_bool() && banned->get_bool();
  account.comment = text_of(object, "comment");
  account.revised = number_of(object, "revised").value_or(0);
  for (const auto& item : items_of(object, "roles"))
    account.grants.push_back({text_of(item, "role"), text_of(item, "grantor")});
  for (const auto& item : items_of(object, "tokens")) account.tokens.push_back(read_token(item));
  return account;
}

JsonObject Account::properties() const {
  JsonArray granted;
  for (const auto& grant : grants)
    granted.push_back(JsonObject{{"role", grant.role}, {"grantor", grant.grantor}});
  JsonArray given;
  for (const auto& token : tokens) given.push_back(write(token));
  return {{"authority", authority}, {"username", username},        {"claim", claim},
          {"password", password},   {"roles", std::move(granted)}, {"banned", banned},
          {"comment", comment},     {"revised", revised},          {"tokens", std::move(given)}};
}

}  // namespace toa::gateway
