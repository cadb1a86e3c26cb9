#include "gateway/directives/trim.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace toa::gateway {
namespace {

using Names = std::vector<std::string>;

bool is_among(std::string_view name, const Names& names) {
  return std::ranges::find(names, name) != names.end();
}

// The texts below are documents, which are valid JSON and without white space around or between
// their members only where we printed them ourselves: everything is looked for, nothing counted on.

std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

/// Behind the string that begins at `at`.
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; text.at(at) != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

/// Behind the value that begins at `at`: at the comma or the bracket that follows.
std::size_t skip_value(std::string_view text, std::size_t at) {
  for (int depth = 0;;) {
    const char c = text.at(at);
    if (c == '"') {
      at = skip_string(text, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}')) return at;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
}

/// Nothing where it is no object, or a name is written with escapes: then it has to be read.
std::optional<std::string> cut(std::string_view text, const Names& names) {
  auto at = skip_space(text, 0);
  if (!text.substr(at).starts_with('{')) return std::nullopt;
  // Most are smaller, and grow but once.
  constexpr std::size_t usual_bytes = 240;
  std::string kept;
  kept.reserve(std::min(text.size() + 1, usual_bytes));
  kept += '{';
  for (at = skip_space(text, at + 1); text.at(at) != '}'; at = skip_space(text, at)) {
    if (text[at] == ',') at = skip_space(text, at + 1);
    const auto begin = at;
    at = skip_string(text, at);
    const auto name = text.substr(begin + 1, at - begin - 2);
    if (name.contains('\\')) return std::nullopt;
    at = skip_value(text, at);
    if (!is_among(name, names)) continue;
    if (kept.size() > 1) kept += ',';
    kept += text.substr(begin, at - begin);
  }
  return kept + '}';
}

JsonObject kept_of(const JsonObject& object, const Names& names) {
  JsonObject kept;
  for (const auto& [name, member] : object) {
    if (is_among(name, names)) kept.emplace(name, member);
  }
  return kept;
}

}  // namespace

Document trimmed(const Document& document, const Names& names) {
  if (auto kept = cut(document.text(), names)) return Document::of_text(std::move(*kept));
  const auto& value = document.value();
  if (const auto* object = value.if_object()) return Document::of(kept_of(*object, names));
  const auto* items = value.if_array();
  if (items == nullptr) return document;
  JsonArray kept;
  kept.reserve(items->size());
  for (const auto& item : *items) {
    const auto* object = item.if_object();
    kept.push_back(object == nullptr ? item : Json(kept_of(*object, names)));
  }
  return Document::of(std::move(kept));
}

}  // namespace toa::gateway
