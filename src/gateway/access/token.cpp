#include "gateway/access/token.hpp"

namespace toa::gateway {
namespace {

std::string text_of(const JsonObject& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::optional<EpochMs> time_of(const JsonObject& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_int64() ? std::optional(value->get_int64()) : std::nullopt;
}

std::vector<std::string> texts_of(const JsonObject& object, std::string_view name) {
  std::vector<std::string> texts;
  const auto* value = object.if_contains(name);
  if (value == nullptr || !value->is_array()) return texts;
  for (const auto& one : value->get_array()) {
    if (one.is_string()) texts.emplace_back(one.get_string());
  }
  return texts;
}

}  // namespace

std::string Token::text() const {
  JsonObject object{{"authority", authority},
                    {"application", application},
                    {"identity", identity},
                    {"issued", issued}};
  if (!roles.empty()) object["roles"] = boost::json::value_from(roles);
  if (transient) object["transient"] = true;
  if (expires) object["expires"] = *expires;
  if (!custom.empty()) object["custom"] = custom;
  if (permissions) object["permissions"] = permissions->written();
  return json::print(object);
}

std::optional<Token> Token::read(std::string_view text) {
  const auto parsed = json::parse(text);
  const auto* object = parsed ? parsed->if_object() : nullptr;
  const auto issued = object == nullptr ? std::nullopt : time_of(*object, "issued");
  if (!issued) return std::nullopt;
  Token token{.authority = text_of(*object, "authority"),
              .application = text_of(*object, "application"),
              .identity = text_of(*object, "identity"),
              .roles = texts_of(*object, "roles"),
              .transient = object->contains("transient"),
              .issued = *issued,
              .expires = time_of(*object, "expires"),
              .custom = text_of(*object, "custom")};
  if (token.identity.empty()) return std::nullopt;
  if (const auto* permissions = object->if_contains("permissions")) {
    auto read = Permissions::read(*permissions);
    // A limit that cannot be read must not be none.
    if (!read) return std::nullopt;
    token.permissions = std::make_shared<const Permissions>(std::move(*read));
  }
  return token;
}

}  // namespace toa::gateway
