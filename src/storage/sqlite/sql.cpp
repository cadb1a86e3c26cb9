#include "storage/sqlite/sql.hpp"

namespace toa::storage::sqlite {

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, text.find('\0'))) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out + '\'';
}

Sql& Sql::value(Bound value) {
  if (!literal()) {
    text_ += '?';
    values_.push_back(std::move(value));
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    text_ += quoted(*text);
  } else {
    text_ += std::to_string(std::get<std::int64_t>(value));
  }
  return *this;
}

Sql& Sql::number(std::string json) {
  text_ += '(';
  value(std::move(json));
  text_ += " ->> '$')";
  return *this;
}

}  // namespace toa::storage::sqlite
