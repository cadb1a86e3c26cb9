#include "gateway/access/identity_settings.hpp"

#include <fmt/format.h>

namespace toa::gateway {
namespace {

using manifest::Section;

constexpr const char* usual_key = "key0";
constexpr const char* usual_variable = "IDENTITY_TOKENS_ENCRYPTION_KEY0";
constexpr const char* usual_username = "^.{1,128}$";
constexpr const char* usual_password = "^.{8,32}$";
// bcrypt's own least, and what takes some seconds.
constexpr std::int64_t rounds_min = 4;
constexpr std::int64_t rounds_max = 16;
constexpr std::int64_t seconds_max = 10LL * 366 * 86'400;

struct Range {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

std::optional<std::int64_t> read_number(const Section& owner, std::string_view name, Range range) {
  const auto found = owner.find(name);
  if (!found) return std::nullopt;
  const auto* value = found->value().if_int64();
  if (value != nullptr && *value >= range.min && *value <= range.max) return *value;
  found->report(fmt::format("must be a whole number from {} to {}", range.min, range.max));
  return std::nullopt;
}

/// What stands in the text, or in the variable that it names.
struct Secret {
  std::string text;
  std::optional<std::string> missing;
};

std::optional<Secret> read_secret(const Section& owner, std::string_view name,
                                  const manifest::Variables& variables) {
  auto stated = owner.text(name);
  if (!stated) return std::nullopt;
  if (!stated->starts_with('$')) return Secret{std::move(*stated), {}};
  const auto variable = stated->substr(1);
  auto value = variables(variable);
  return value ? Secret{std::move(*value), {}} : Secret{{}, variable};
}

void report_missing(const Section& at, const std::string& variable) {
  at.report(fmt::format("variable {} is not set: export it, or add it to .env beside the Context",
                        variable));
}

void add_key(IdentitySettings& settings, const Section& at, std::string id, Secret secret) {
  TokenKey key{std::move(id), std::move(secret.text)};
  if (secret.missing && settings.keys.empty()) {
    settings.missing_key = std::move(secret.missing);
    settings.keys.push_back(std::move(key));
  } else if (secret.missing) {
    report_missing(at, *secret.missing);
  } else if (auto checked = check_token_key(key); !checked) {
    at.report(checked.error().message);
  } else {
    settings.keys.push_back(std::move(key));
  }
}

void read_keys(IdentitySettings& settings, const Section& keys,
               const manifest::Variables& variables) {
  if (!keys.value().is_array() || keys.value().get_array().empty())
    return keys.report("must be a list of { id, key }");
  for (const auto& item : keys.parts()) {
    if (!item.must_be_object()) continue;
    item.refuse_unknown({"id", "key", "format"});
    if (item.find("format")) item.find("format")->report("is not supported by this release");
    auto id = item.text("id");
    auto secret = read_secret(item, "key", variables);
    if (!item.find("id")) item.report("must have required property 'id'");
    if (!item.find("key")) item.report("must have required property 'key'");
    if (id && secret) add_key(settings, item, std::move(*id), std::move(*secret));
  }
}

void use_usual_key(IdentitySettings& settings, const manifest::Variables& variables) {
  auto value = variables(usual_variable);
  if (!value) settings.missing_key = usual_variable;
  settings.keys.push_back({usual_key, value.value_or("")});
}

void read_tokens(IdentitySettings& settings, const Section& tokens,
                 const manifest::Variables& variables) {
  tokens.refuse_unknown({"keys", "lifetime", "refresh", "cache"});
  if (const auto keys = tokens.find("keys")) read_keys(settings, *keys, variables);
  if (const auto lifetime = read_number(tokens, "lifetime", {1, seconds_max}))
    settings.tokens.lifetime = std::chrono::seconds(*lifetime);
  if (const auto refresh = read_number(tokens, "refresh", {0, seconds_max}))
    settings.tokens.refresh = std::chrono::seconds(*refresh);
  const auto cache = tokens.find("cache");
  if (!cache || !cache->must_be_object()) return;
  cache->refuse_unknown({"ttl", "max"});
  if (const auto ttl = read_number(*cache, "ttl", {0, seconds_max * 1000}))
    settings.cache_ttl = std::chrono::milliseconds(*ttl);
  if (const auto max = read_number(*cache, "max", {1, 1'000'000}))
    settings.cache_max = static_cast<std::size_t>(*max);
}

std::vector<manifest::Pattern> read_patterns(const Section& basic, std::string_view name,
                                             const char* usual) {
  std::vector<manifest::Pattern> patterns;
  const auto stated = basic.find(name);
  const auto add = [&patterns](std::string_view source, const std::optional<Section>& at) {
    auto pattern = manifest::Pattern::compile(source);
    if (pattern) {
      patterns.push_back(std::move(*pattern));
    } else {
      at->report(pattern.error().message);
    }
  };
  if (!stated) {
    add(usual, stated);
    return patterns;
  }
  for (const auto& at : stated->value().is_array() ? stated->parts() : std::vector{*stated}) {
    if (const auto* source = at.value().if_string()) {
      add(*source, at);
    } else {
      at.report("must be string");
    }
  }
  return patterns;
}

void read_principal(IdentitySettings& settings, const Section& basic) {
  const auto principal = basic.find("principal");
  if (!principal || !principal->must_be_object()) return;
  principal->refuse_unknown({"authority", "username"});
  auto authority = principal->text("authority");
  auto username = principal->text("username");
  if (authority && username) {
    settings.principal = Principal{std::move(*authority), std::move(*username)};
  } else {
    principal->report("must have properties 'authority' and 'username'");
  }
}

void read_basic(IdentitySettings& settings, const Section& basic,
                const manifest::Variables& variables) {
  basic.refuse_unknown({"username", "password", "rounds", "pepper", "principal"});
  settings.rules.usernames = read_patterns(basic, "username", usual_username);
  settings.rules.passwords = read_patterns(basic, "password", usual_password);
  if (const auto rounds = read_number(basic, "rounds", {rounds_min, rounds_max}))
    settings.passwords.rounds = static_cast<int>(*rounds);
  if (auto pepper = read_secret(basic, "pepper", variables)) {
    if (pepper->missing) report_missing(basic, *pepper->missing);
    settings.passwords.pepper = std::move(pepper->text);
  }
  read_principal(settings, basic);
}

}  // namespace

IdentitySettings read_identity_settings(const manifest::Context& context,
                                        const manifest::Variables& variables,
                                        std::vector<manifest::Problem>& problems) {
  IdentitySettings settings;
  const manifest::Written nothing{context.file, "basic", {JsonObject{{"basic", JsonObject{}}}, {}}};
  const auto& stated = context.identity;
  const auto tokens = stated.find("tokens");
  if (tokens != stated.end()) read_tokens(settings, tokens->second.section(problems), variables);
  const auto basic = stated.find("basic");
  read_basic(settings, (basic == stated.end() ? nothing : basic->second).section(problems),
             variables);
  if (settings.keys.empty() && problems.empty()) use_usual_key(settings, variables);
  return settings;
}

}  // namespace toa::gateway
