#include "typegen/comment.hpp"

namespace toa::typegen {

std::string comment(std::string_view text, std::size_t indent) {
  if (text.empty()) return {};
  std::string line;
  for (const char c : text) {
    // The end of the comment must not be found inside of it.
    if (c == '/' && !line.empty() && line.back() == '*') line += ' ';
    line += c == '\n' || c == '\r' ? ' ' : c;
  }
  return std::string(indent, ' ') + "/** " + line + " */\n";
}

std::string_view description_of(const Json& schema) {
  const auto* words = schema.if_object();
  const auto* text = words == nullptr ? nullptr : words->if_contains("description");
  return text != nullptr && text->is_string() ? std::string_view(text->get_string())
                                              : std::string_view();
}

}  // namespace toa::typegen
