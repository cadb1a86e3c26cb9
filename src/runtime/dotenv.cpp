#include "runtime/dotenv.hpp"

#include <fstream>

namespace toa::runtime {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string_view unquoted(std::string_view value) {
  const bool quoted = value.size() >= 2 && value.front() == value.back() &&
                      (value.front() == '"' || value.front() == '\'');
  return quoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

Result<std::map<std::string, std::string>> read_dotenv(const std::string& file) {
  std::map<std::string, std::string> variables;
  std::ifstream in(file);
  if (!in) return variables;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    auto text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    if (text.starts_with("export ")) text = trimmed(text.substr(7));
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return fail(ErrorKind::invalid,
                  file + ":" + std::to_string(number) + ": expected NAME=value");
    }
    variables[std::string(trimmed(text.substr(0, equals)))] =
        unquoted(trimmed(text.substr(equals + 1)));
  }
  return variables;
}

}  // namespace toa::runtime
