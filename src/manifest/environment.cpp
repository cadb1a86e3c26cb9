#include "manifest/environment.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace toa::manifest {
namespace {

constexpr std::size_t without_suffix = std::numeric_limits<std::size_t>::max();

std::vector<std::string_view> links(std::string_view chain) {
  std::vector<std::string_view> links;
  for (auto colon = chain.find(':'); colon != std::string_view::npos; colon = chain.find(':')) {
    links.push_back(chain.substr(0, colon));
    chain.remove_prefix(colon + 1);
  }
  links.push_back(chain);
  return links;
}

/// The place of a key's environment in the chain, the lower the stronger; nothing for another
/// environment.
std::optional<std::size_t> rank(std::string_view key, const std::vector<std::string_view>& chain) {
  const auto plain = without_environment(key);
  if (plain.size() == key.size()) return without_suffix;
  const auto found = std::ranges::find(chain, key.substr(plain.size() + 1));
  if (found == chain.end()) return std::nullopt;
  return static_cast<std::size_t>(found - chain.begin());
}

Yaml resolve(const Json& value, const Lines& lines, const std::vector<std::string_view>& chain);

Yaml resolve_object(const JsonObject& object, const Lines& lines,
                    const std::vector<std::string_view>& chain) {
  std::map<std::string_view, std::pair<std::size_t, std::string_view>> chosen;
  for (const auto& member : object) {
    const auto key_rank = rank(member.key(), chain);
    if (!key_rank) continue;
    const auto plain = without_environment(member.key());
    const auto [known, fresh] = chosen.try_emplace(plain, *key_rank, member.key());
    if (!fresh && *key_rank < known->second.first) known->second = {*key_rank, member.key()};
  }
  Yaml out{JsonObject{}, {lines.line, {}, {}}};
  for (const auto& member : object) {
    const auto plain = without_environment(member.key());
    const auto found = chosen.find(plain);
    if (found == chosen.end() || found->second.second != member.key()) continue;
    auto inner = resolve(member.value(), lines.of(member.key()), chain);
    out.value.get_object().emplace(plain, std::move(inner.value));
    out.lines.names.emplace_back(plain);
    out.lines.parts.push_back(std::move(inner.lines));
  }
  return out;
}

Yaml resolve(const Json& value, const Lines& lines, const std::vector<std::string_view>& chain) {
  if (const auto* object = value.if_object()) return resolve_object(*object, lines, chain);
  const auto* array = value.if_array();
  if (array == nullptr) return {value, lines};
  Yaml out{JsonArray{}, {lines.line, {}, {}}};
  for (std::size_t i = 0; i < array->size(); ++i) {
    auto inner = resolve((*array)[i], lines.of(i), chain);
    out.value.get_array().push_back(std::move(inner.value));
    out.lines.parts.push_back(std::move(inner.lines));
  }
  return out;
}

}  // namespace

std::string_view without_environment(std::string_view key) {
  const auto at = key.rfind('@');
  return at == std::string_view::npos || at == 0 ? key : key.substr(0, at);
}

Yaml for_environment(const Yaml& yaml, std::string_view environment) {
  return resolve(yaml.value, yaml.lines, links(environment));
}

}  // namespace toa::manifest
