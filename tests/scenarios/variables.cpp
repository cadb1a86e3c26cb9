#include "variables.hpp"

#include <charconv>

#include "base/hex.hpp"
#include "failed.hpp"

namespace toa::scenarios {
namespace {

/// `'[' * 200`: a text so many times. Nothing where it is no such expression.
std::optional<std::string> repeated(std::string_view expression) {
  if (!expression.starts_with('\'')) return std::nullopt;
  const auto quote = expression.find('\'', 1);
  const auto star = expression.find('*', quote == std::string_view::npos ? 0 : quote);
  if (star == std::string_view::npos) return std::nullopt;
  auto digits = expression.substr(star + 1);
  digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
  std::size_t times = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), times);
  if (error != std::errc{} || times > (64u << 20)) return std::nullopt;
  const auto part = expression.substr(1, quote - 1);
  std::string out;
  out.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

/// `hex c328`: these bytes.
std::optional<std::string> bytes(std::string_view expression) {
  if (!expression.starts_with("hex ")) return std::nullopt;
  std::string out;
  for (auto rest = expression.substr(4); rest.size() >= 2; rest.remove_prefix(2)) {
    unsigned value = 0;
    std::from_chars(rest.data(), rest.data() + 2, value, 16);
    out += static_cast<char>(value);
  }
  return out;
}

std::string as_text(const Json& value) {
  return value.is_string() ? std::string(value.get_string()) : json::print(value);
}

}  // namespace

Json Variables::meaning(std::string_view expression) const {
  if (auto text = repeated(expression)) return Json(*text);
  if (auto text = bytes(expression)) return Json(*text);
  const auto found = values_.find(expression);
  if (found == values_.end()) {
    throw Failed{"no variable '" + std::string(expression) + "': it is neither set nor saved yet"};
  }
  return found->second;
}

Json Variables::fill_string(std::string_view text) const {
  std::string out;
  for (;;) {
    const auto open = text.find("${");
    const auto close = text.find('}', open == std::string_view::npos ? text.size() : open);
    if (close == std::string_view::npos) break;
    auto value = meaning(text.substr(open + 2, close - open - 2));
    const bool whole = out.empty() && open == 0 && close + 1 == text.size();
    if (whole) return value;
    out += text.substr(0, open);
    out += as_text(value);
    text.remove_prefix(close + 1);
  }
  return Json(out.append(text));
}

std::string Variables::fill_text(std::string_view text) const {
  return as_text(fill_string(text));
}

Json Variables::fill(const Json& value) const {
  if (const auto* text = value.if_string()) return fill_string(*text);
  if (const auto* items = value.if_array()) {
    JsonArray out;
    for (const auto& item : *items) out.push_back(fill(item));
    return out;
  }
  if (const auto* members = value.if_object()) {
    JsonObject out;
    for (const auto& [key, member] : *members) out.emplace(fill_text(key), fill(member));
    return out;
  }
  return value;
}

}  // namespace toa::scenarios
