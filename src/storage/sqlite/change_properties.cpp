#include "storage/sqlite/change_properties.hpp"

#include <optional>
#include <string_view>

namespace toa::storage::sqlite {
namespace {

enum class Missing { leave, make };

/// The map that the last name of `path` is in; `path` becomes that name.
JsonObject* parent_of(JsonObject& properties, std::string_view& path, Missing missing) {
  auto* at = &properties;
  for (auto dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    const auto name = path.substr(0, dot);
    auto found = at->find(name);
    if (found == at->end()) {
      if (missing == Missing::leave) return nullptr;
      found = at->emplace(name, JsonObject()).first;
    }
    at = found->value().if_object();
    if (at == nullptr) return nullptr;
    path.remove_prefix(dot + 1);
  }
  return at;
}

std::optional<Json> take(JsonObject& properties, std::string_view path) {
  auto* parent = parent_of(properties, path, Missing::leave);
  if (parent == nullptr) return std::nullopt;
  const auto found = parent->find(path);
  if (found == parent->end()) return std::nullopt;
  auto value = std::move(found->value());
  parent->erase(found);
  return value;
}

bool set(JsonObject& properties, std::string_view path, Json value) {
  auto* parent = parent_of(properties, path, Missing::make);
  if (parent == nullptr) return false;
  const auto found = parent->find(path);
  if (found != parent->end() && found->value() == value) return false;
  parent->insert_or_assign(path, std::move(value));
  return true;
}

}  // namespace

bool change_properties(JsonObject& properties, const UpdateObjects& update) {
  bool changed = false;
  for (const auto& [from, to] : update.rename) {
    auto value = take(properties, from);
    if (value) changed = set(properties, to, *std::move(value)) || true;
  }
  for (const auto& path : update.unset) changed = take(properties, path).has_value() || changed;
  for (const auto& [path, value] : update.set) changed = set(properties, path, value) || changed;
  return changed;
}

}  // namespace toa::storage::sqlite
