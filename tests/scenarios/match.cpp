#include "match.hpp"

#include <fmt/format.h>
#include <regex>
#include <sstream>

#include "failed.hpp"

namespace toa::scenarios {
namespace {

constexpr std::size_t shown_max = 2'000;

std::string shown(std::string text) {
  if (text.size() > shown_max) text = text.substr(0, shown_max) + "…";
  return text;
}

bool is_pattern(std::string_view text) {
  return text.size() > 2 && text.front() == '/' && text.back() == '/';
}

bool finds(std::string_view pattern, const std::string& text) {
  const std::string inner(pattern.substr(1, pattern.size() - 2));
  try {
    return std::regex_search(text.substr(0, 64 << 10), std::regex(inner));
  } catch (const std::regex_error& e) {
    throw Failed{fmt::format("the pattern {} cannot be used: {}", pattern, e.what())};
  }
}

bool scalar_fits(const Json& expected, const Json& found) {
  const auto* text = expected.if_string();
  if (text == nullptr) return json::print(expected) == json::print(found);
  if (*text == "<any>") return true;
  if (*text == "<integer>") return found.is_int64() || found.is_uint64();
  if (*text == "<text>") return found.is_string();
  if (!found.is_string()) return false;
  if (is_pattern(*text)) return finds(*text, std::string(found.get_string()));
  return found.get_string() == *text;
}

std::string differs(const std::string& path, const Json& expected, const Json& found) {
  return fmt::format("{}: expected {}, found {}", path.empty() ? "it" : path,
                     shown(json::print(expected)), shown(json::print(found)));
}

class Matcher {
 public:
  explicit Matcher(Match match) : match_(match) {}

  std::optional<std::string> fit(const std::string& path, const Json& expected,
                                 const Json& found) const {
    if (expected.is_object() && found.is_object())
      return members(path, expected.get_object(), found.get_object());
    if (expected.is_array() && found.is_array())
      return items(path, expected.get_array(), found.get_array());
    if (scalar_fits(expected, found)) return std::nullopt;
    return differs(path, expected, found);
  }

 private:
  std::optional<std::string> members(const std::string& path, const JsonObject& expected,
                                     const JsonObject& found) const {
    for (const auto& [key, value] : expected) {
      const auto at = path + "." + std::string(key);
      const auto* member = found.if_contains(key);
      const bool absent = value.is_string() && value.get_string() == "<absent>";
      if (absent != (member == nullptr))
        return absent ? at + " is there: " + json::print(*member)
                      : at + " is missing in " + shown(json::print(found));
      if (absent) continue;
      if (auto why = fit(at, value, *member)) return why;
    }
    if (match_ == Match::partly) return std::nullopt;
    for (const auto& [key, value] : found) {
      if (!expected.contains(key)) return path + "." + std::string(key) + " was not expected";
    }
    return std::nullopt;
  }

  std::optional<std::string> items(const std::string& path, const JsonArray& expected,
                                   const JsonArray& found) const {
    if (expected.size() != found.size()) return differs(path, expected, found);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (auto why = fit(fmt::format("{}[{}]", path, i), expected[i], found[i])) return why;
    }
    return std::nullopt;
  }

  Match match_;
};

std::string trimmed(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::optional<std::string> mismatch(const Json& expected, const Json& found, Match match) {
  return Matcher(match).fit("", expected, found);
}

std::optional<std::string> text_mismatch(const Json& expected, const std::string& found) {
  if (!expected.is_array()) {
    const auto* text = expected.if_string();
    const Json wanted(text == nullptr ? "" : trimmed(std::string(*text)));
    return mismatch(wanted, Json(trimmed(found)), Match::wholly);
  }
  JsonArray lines;
  std::istringstream in(found);
  for (std::string line; std::getline(in, line);) lines.emplace_back(line);
  return mismatch(expected, lines, Match::wholly);
}

}  // namespace toa::scenarios
