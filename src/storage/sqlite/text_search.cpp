#include "storage/sqlite/text_search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace toa::storage::sqlite {
namespace {

struct Words {
  std::vector<std::string> any;
  std::vector<std::string> all;
  std::vector<std::string> none;
};

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// A string of FTS5, in which nothing is an operator.
std::string term(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' || c == '\0' ? ' ' : c;
  return out + '"';
}

Words split(std::string_view search) {
  Words words;
  while (!search.empty()) {
    if (is_space(search.front())) {
      search.remove_prefix(1);
      continue;
    }
    const bool excluded = search.front() == '-';
    if (excluded) search.remove_prefix(1);
    const bool phrase = search.starts_with('"');
    if (phrase) search.remove_prefix(1);
    std::size_t end = 0;
    while (end < search.size() && (phrase ? search[end] != '"' : !is_space(search[end]))) ++end;
    auto& into = excluded ? words.none : phrase ? words.all : words.any;
    if (end > 0) into.push_back(term(search.substr(0, end)));
    search.remove_prefix(std::min(search.size(), phrase ? end + 1 : end));
  }
  return words;
}

}  // namespace

std::string search_words(std::string_view search) {
  const auto words = split(search);
  // With a phrase, single words no longer widen what is found.
  const auto wanted = words.all.empty() ? fmt::format("{}", fmt::join(words.any, " OR "))
                                        : fmt::format("{}", fmt::join(words.all, " AND "));
  if (wanted.empty() || words.none.empty()) return wanted;
  return fmt::format("({}) NOT ({})", wanted, fmt::join(words.none, " OR "));
}

}  // namespace toa::storage::sqlite
