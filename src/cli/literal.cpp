#include "cli/literal.hpp"

#include <algorithm>
#include <cctype>

namespace toa::cli {
namespace {

constexpr std::string_view plain = "\x1b[0m";
constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view yellow = "\x1b[33m";
constexpr std::string_view grey = "\x1b[90m";

bool is_bare_key(std::string_view key) {
  const auto bare = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  static constexpr std::string_view words[] = {"true", "false", "null", "yes", "no",
                                               "on",   "off",   "y",    "n"};
  return !key.empty() && std::isdigit(static_cast<unsigned char>(key.front())) == 0 &&
         std::ranges::all_of(key, bare) && std::ranges::find(words, key) == std::ranges::end(words);
}

/// Single quotes where nothing has to be escaped; otherwise JSON's form, which both JavaScript and
/// YAML read alike.
std::string quoted(std::string_view text) {
  const bool simple = std::ranges::all_of(text, [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != '\'' && c != '\\' && c != '\x7f';
  });
  if (simple) return "'" + std::string(text) + "'";
  std::string out;
  json::print_string_to(out, text);
  return out;
}

class Writer {
 public:
  explicit Writer(LiteralStyle style) : style_(style) {}

  void value(const Json& value, std::size_t indent) {
    if (value.is_object()) {
      object(value.get_object(), indent);
    } else if (value.is_array()) {
      array(value.get_array(), indent);
    } else if (value.is_string()) {
      coloured(green, quoted(value.get_string()));
    } else {
      coloured(value.is_null() ? grey : yellow, json::print(value));
    }
  }

  std::string out;

 private:
  // One line where it fits; what is measured has no colours.
  bool fits(const Json& value, std::size_t indent) const {
    return style_.width == 0 || indent + literal(value, {}).size() <= style_.width;
  }

  void object(const JsonObject& members, std::size_t indent) {
    if (members.empty()) return text("{}");
    const bool one_line = fits(members, indent);
    bool first = true;
    text("{");
    for (const auto& [key, member] : members) {
      separate(first, one_line, indent + 2);
      text(is_bare_key(key) ? std::string(key) : quoted(key));
      text(": ");
      value(member, indent + 2);
    }
    close(one_line, indent);
    text("}");
  }

  void array(const JsonArray& items, std::size_t indent) {
    if (items.empty()) return text("[]");
    const bool one_line = fits(items, indent);
    bool first = true;
    text("[");
    for (const auto& item : items) {
      separate(first, one_line, indent + 2);
      value(item, indent + 2);
    }
    close(one_line, indent);
    text("]");
  }

  void separate(bool& first, bool one_line, std::size_t indent) {
    if (!std::exchange(first, false)) text(",");
    text(one_line ? std::string(" ") : "\n" + std::string(indent, ' '));
  }

  void close(bool one_line, std::size_t indent) {
    text(one_line ? std::string(" ") : "\n" + std::string(indent, ' '));
  }

  void text(std::string_view part) { out += part; }

  void coloured(std::string_view colour, std::string_view part) {
    if (style_.colours == Colours::no) return text(part);
    out += colour;
    out += part;
    out += plain;
  }

  LiteralStyle style_;
};

}  // namespace

std::string literal(const Json& value, LiteralStyle style) {
  Writer writer(style);
  writer.value(value, 0);
  return std::move(writer.out);
}

Json for_people(const Json& reply) {
  if (const auto* items = reply.if_array()) {
    JsonArray out;
    for (const auto& item : *items) out.push_back(for_people(item));
    return out;
  }
  const auto* members = reply.if_object();
  if (members == nullptr || !members->contains("VERSION")) return reply;
  JsonObject out;
  for (const auto& [key, value] : *members) {
    const bool noise = key == "CREATED" || key == "UPDATED" || (key == "REGION" && value == 0) ||
                       (key == "DELETED" && value.is_null());
    if (!noise) out.emplace(key, value);
  }
  return out;
}

}  // namespace toa::cli
