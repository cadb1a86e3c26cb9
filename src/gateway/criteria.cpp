#include "gateway/criteria.hpp"

#include <fmt/format.h>

namespace toa::gateway {

std::string equals(std::string_view name, std::string_view value) {
  std::string quoted;
  for (const char c : value) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return fmt::format("{}==\"{}\"", name, quoted);
}

std::string join_route(const std::string& variables, const QueryRules& rules) {
  if (variables.empty()) return rules.criteria;
  if (rules.criteria.empty()) return variables;
  return fmt::format("({}){}({})", variables, rules.criteria_or ? ',' : ';', rules.criteria);
}

bool is_self_contained(std::string_view criteria) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < criteria.size(); ++i) {
    const char c = criteria[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth < 0) {
      return false;
    }
  }
  return depth == 0 && quote == 0 && !criteria.empty();
}

std::string join_client(const std::string& route, std::string_view client) {
  if (route.empty()) return std::string(client);
  return fmt::format("({});({})", route, client);
}

}  // namespace toa::gateway
