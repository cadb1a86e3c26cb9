#include "manifest/print_yaml.hpp"

#include <algorithm>
#include <optional>
#include <yaml-cpp/yaml.h>

#include "manifest/yaml.hpp"

namespace toa::manifest {
namespace {

constexpr auto merge_key = "<<";

std::optional<Json> as_read(const std::string& text) {
  auto read = parse_yaml(text);
  return read ? std::optional(std::move(*read)) : std::nullopt;
}

/// Quoted where it would be read as something else.
void emit_text(YAML::Emitter& out, const std::string& text) {
  const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; };
  const auto read = std::ranges::any_of(text, is_control) ? std::nullopt : as_read(text);
  const bool plain = read && read->is_string() && read->get_string() == text && text != merge_key;
  if (!plain) out << YAML::DoubleQuoted;
  out << text;
}

void emit(YAML::Emitter& out, const Json& value) {
  if (const auto* members = value.if_object()) {
    if (members->empty()) out << YAML::Flow;
    out << YAML::BeginMap;
    for (const auto& [key, member] : *members) {
      out << YAML::Key;
      emit_text(out, std::string(key));
      out << YAML::Value;
      emit(out, member);
    }
    out << YAML::EndMap;
  } else if (const auto* items = value.if_array()) {
    if (items->empty()) out << YAML::Flow;
    out << YAML::BeginSeq;
    for (const auto& item : *items) emit(out, item);
    out << YAML::EndSeq;
  } else if (const auto* string = value.if_string()) {
    emit_text(out, std::string(*string));
  } else if (value.is_null()) {
    // As a text it would be quoted.
    out << YAML::Null;
  } else {
    out << json::print(value);
  }
}

}  // namespace

std::string print_yaml(const Json& value) {
  YAML::Emitter out;
  emit(out, value);
  // The library leaves this character as it is, which no reader takes; it stands in quotes.
  std::string printed;
  for (const char c : std::string_view(out.c_str())) {
    if (c == 0x7f) {
      printed += "\\x7F";
    } else {
      printed += c;
    }
  }
  return printed;
}

}  // namespace toa::manifest
