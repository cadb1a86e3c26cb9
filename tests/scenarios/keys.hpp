#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "base/json.hpp"
#include "failed.hpp"
#include "grammar.hpp"

namespace toa::scenarios {

// What a step says under a key; the grammar has checked that it is of this kind.

inline std::string text_of(const JsonObject& keys, std::string_view name) {
  const auto* value = keys.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

inline bool flag_of(const JsonObject& keys, std::string_view name) {
  const auto* value = keys.if_contains(name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

inline JsonObject map_of(const JsonObject& keys, std::string_view name) {
  const auto* value = keys.if_contains(name);
  return value != nullptr && value->is_object() ? value->get_object() : JsonObject{};
}

inline void must(const std::optional<std::string>& why) {
  if (why) throw Failed{*why};
}

/// Until it holds, for as long as the step's `within` says; what it throws last is thrown.
template <class Try>
void eventually(const JsonObject& step, const char* otherwise, Try attempt) {
  using namespace std::chrono_literals;
  const auto stated = text_of(step, "within");
  const auto patience = duration(stated.empty() ? otherwise : stated).value_or(0ms);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    try {
      return attempt();
    } catch (const Failed&) {
      if (std::chrono::steady_clock::now() >= deadline) throw;
    }
    std::this_thread::sleep_for(10ms);
  }
}

}  // namespace toa::scenarios
