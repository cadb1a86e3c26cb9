#include "manifest/print_yaml.hpp"

#include <yaml-cpp/yaml.h>

#include "manifest/yaml.hpp"

namespace toa::manifest {
namespace {

void emit(YAML::Emitter& out, const Json& value) {
  if (const auto* members = value.if_object()) {
    if (members->empty()) out << YAML::Flow;
    out << YAML::BeginMap;
    for (const auto& [key, member] : *members) {
      out << YAML::Key << std::string(key) << YAML::Value;
      emit(out, member);
    }
    out << YAML::EndMap;
  } else if (const auto* items = value.if_array()) {
    if (items->empty()) out << YAML::Flow;
    out << YAML::BeginSeq;
    for (const auto& item : *items) emit(out, item);
    out << YAML::EndSeq;
  } else if (const auto* string = value.if_string()) {
    // Quoted where it would be read as something else.
    const std::string text(*string);
    const auto read = parse_yaml(text);
    const bool plain = read && read->is_string() && read->get_string() == text;
    if (!plain) out << YAML::DoubleQuoted;
    out << text;
  } else {
    out << json::print(value);
  }
}

}  // namespace

std::string print_yaml(const Json& value) {
  YAML::Emitter out;
  emit(out, value);
  return out.c_str();
}

}  // namespace toa::manifest
