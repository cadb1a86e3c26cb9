#include "gateway/formats/form.hpp"

#include "base/limits.hpp"
#include "manifest/utf8.hpp"

namespace toa::gateway {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void add(JsonObject& form, std::string_view name, Json value) {
  auto* found = form.if_contains(name);
  if (found == nullptr) {
    form.emplace(name, std::move(value));
  } else if (found->is_array()) {
    found->get_array().push_back(std::move(value));
  } else {
    *found = JsonArray{std::move(*found), std::move(value)};
  }
}

}  // namespace

Result<std::string> percent_decoded(std::string_view text, Plus plus) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus == Plus::is_space) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      const auto high = i + 2 < text.size() ? digit(text[i + 1]) : -1;
      const auto low = i + 2 < text.size() ? digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return fail(ErrorKind::invalid, "a percent-encoding is damaged");
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  if (!is_ascii(decoded) && !manifest::characters(decoded))
    return fail(ErrorKind::invalid, "a percent-encoding is not valid UTF-8");
  return decoded;
}

Result<std::vector<FormPair>> read_pairs(std::string_view text) {
  std::vector<FormPair> pairs;
  while (!text.empty()) {
    const auto pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(pair.size() + 1, text.size()));
    if (pair.empty()) continue;
    if (pairs.size() >= limits::form_pairs_max)
      return fail(ErrorKind::invalid, "there are too many parameters");
    const auto equals = pair.find('=');
    auto name = percent_decoded(pair.substr(0, equals), Plus::is_space);
    if (!name) return std::unexpected(name.error());
    pairs.push_back({std::move(*name), std::nullopt});
    if (equals == std::string_view::npos) continue;
    auto value = percent_decoded(pair.substr(equals + 1), Plus::is_space);
    if (!value) return std::unexpected(value.error());
    pairs.back().value = std::move(*value);
  }
  return pairs;
}

Result<Json> parse_form(std::string_view body) {
  auto pairs = read_pairs(body);
  if (!pairs) return std::unexpected(pairs.error());
  JsonObject form;
  for (auto& [name, value] : *pairs) add(form, name, Json(value.value_or("")));
  return form;
}

}  // namespace toa::gateway
