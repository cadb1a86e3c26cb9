#include "typegen/names.hpp"

namespace toa::typegen {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::string pascal(std::string_view name) {
  std::string out;
  bool starts = true;
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c)) {
      starts = true;
      continue;
    }
    out += starts && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    starts = false;
  }
  return out.empty() || is_digit(out.front()) ? "_" + out : out;
}

std::string module_alias(const manifest::Component& component) {
  // Names are letters and digits, so the underscore keeps apart what the dot does.
  return component.space ? *component.space + "_" + component.name : "default_" + component.name;
}

}  // namespace toa::typegen
