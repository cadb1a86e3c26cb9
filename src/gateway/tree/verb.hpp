#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace toa::gateway {

/// The methods of requests that the gateway knows (G24). `options` is never declared (G23).
enum class Verb { get, head, post, put, patch, delete_, lock, unlock, options };

inline constexpr std::array<std::string_view, 9> verb_names{
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "LOCK", "UNLOCK", "OPTIONS"};

inline std::string_view name(Verb verb) {
  return verb_names[static_cast<std::size_t>(verb)];
}

inline std::optional<Verb> verb_of(std::string_view name) {
  for (std::size_t i = 0; i < verb_names.size(); ++i) {
    if (verb_names[i] == name) return static_cast<Verb>(i);
  }
  return std::nullopt;
}

}  // namespace toa::gateway
