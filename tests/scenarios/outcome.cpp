#include "outcome.hpp"

#include <charconv>
#include <fmt/format.h>

#include "failed.hpp"
#include "match.hpp"

namespace toa::scenarios {
namespace {

using Why = std::optional<std::string>;

std::string shown(const Json& reply) {
  auto text = json::print(reply);
  if (text.size() > 2'000) text = text.substr(0, 2'000) + "…";
  return text;
}

Why fits_member(const Json& reply, std::string_view name, const Json& expected, Match match) {
  const auto* found = json::find(reply, name);
  if (found == nullptr) return fmt::format("expected {}, found {}", name, shown(reply));
  return mismatch(expected, *found, match);
}

/// `CODE` stands for `{ code: CODE }`, a name of an exception for `{ name }`.
Json spelled_out(const Json& expected, std::string_view key) {
  return expected.is_string() ? Json(JsonObject{{key, expected}}) : expected;
}

Why fits_outcome(const JsonObject& expected, const Json& reply) {
  bool named = false;
  for (const auto& [key, value] : expected) {
    Why why;
    if (key == "output") {
      why = fits_member(reply, "output", value, Match::partly);
    } else if (key == "exactly") {
      why = fits_member(reply, "output", value, Match::wholly);
    } else if (key == "nothing") {
      why = fits_member(reply, "nothing", value, Match::wholly);
    } else if (key == "error") {
      why = fits_member(reply, "error", spelled_out(value, "code"), Match::partly);
    } else if (key == "exception") {
      why = fits_member(reply, "exception", spelled_out(value, "name"), Match::partly);
    } else if (key == "failure") {
      why = fits_member(reply, "failure", value, Match::partly);
    } else {
      continue;
    }
    if (why) return why;
    named = true;
  }
  const bool value =
      json::find(reply, "output") != nullptr || json::find(reply, "nothing") != nullptr;
  if (!named && !value) return fmt::format("expected a value, found {}", shown(reply));
  return std::nullopt;
}

bool flag(const JsonObject& keys, std::string_view name) {
  const auto* value = keys.if_contains(name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

}  // namespace

Why outcome_mismatch(const JsonObject& expected, const Answer& answer) {
  if (!answer.reply) {
    return flag(expected, "lost") ? Why{} : "the connection ended before the answer";
  }
  if (flag(expected, "lost")) return "expected no answer, found " + shown(*answer.reply);
  if (auto why = fits_outcome(expected, *answer.reply)) return why;
  if (const auto* same = expected.if_contains("same"); same != nullptr) {
    const auto first = same->is_string() ? std::string(same->get_string()) : std::string();
    if (first != answer.text) return fmt::format("expected {}, found {}", first, answer.text);
  }
  const bool replayed = json::find(*answer.reply, "replayed") != nullptr;
  if (replayed == flag(expected, "replayed")) return std::nullopt;
  return replayed
             ? "it is a first reply given again, which was not expected"
             : "expected a first reply given again (`replayed`), found " + shown(*answer.reply);
}

Json part_of(const Json& value, std::string_view path) {
  const auto* at = &value;
  for (auto rest = path; !rest.empty();) {
    const auto dot = rest.find('.');
    const auto name = rest.substr(0, dot);
    rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
    if (const auto* items = at->if_array()) {
      std::size_t index = items->size();
      std::from_chars(name.data(), name.data() + name.size(), index);
      at = index < items->size() ? &(*items)[index] : nullptr;
    } else {
      at = json::find(*at, name);
    }
    if (at == nullptr) throw Failed{fmt::format("there is no {} in {}", path, shown(value))};
  }
  return *at;
}

}  // namespace toa::scenarios
