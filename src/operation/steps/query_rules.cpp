#include "operation/steps/query_rules.hpp"

#include <array>
#include <fmt/format.h>
#include <string_view>

#include "operation/steps/page.hpp"

namespace toa::operation {
namespace {

using manifest::Operation;
using manifest::QueryRule;
using manifest::Scope;
using manifest::Type;

struct Rule {
  bool broken;
  std::string_view says;
};

Exception refuse(std::string message) {
  return {.code = Code::request_contract, .message = std::move(message)};
}

template <std::size_t count>
std::optional<Exception> first_broken(const std::array<Rule, count>& rules) {
  for (const auto& rule : rules) {
    if (rule.broken) return refuse(std::string(rule.says));
  }
  return std::nullopt;
}

/// A name that got lost on the way (`{ id: undefined }`) must not select whatever comes first.
bool selects(const Query& query) {
  return query.id || query.ids || query.criteria || query.search || query.sort;
}

/// What an effect is given by `entity` needs no query (R168).
std::optional<Exception> check_absence(const Operation& operation, const Request& request) {
  if (request.entity) return std::nullopt;
  const bool needed = operation.query == QueryRule::must || operation.scope == Scope::entries ||
                      operation.scope == Scope::changeset;
  if (!needed) return std::nullopt;
  return refuse("must have required property 'query'");
}

std::optional<Exception> check_type(const Operation& operation, const Query& query) {
  const bool observes = operation.type == Type::observation;
  return first_broken(std::array{
      Rule{query.version && observes, "query/version is not for observations"},
      Rule{query.projection && !observes, "query/projection is only for observations"},
  });
}

std::optional<Exception> check_one(const Query& query) {
  return first_broken(std::array{
      Rule{query.omit.has_value(), "query/omit is only for operations over entries"},
      Rule{query.limit.has_value(), "query/limit is only for operations over entries"},
      Rule{query.sample.has_value(), "query/sample is only for operations over entries"},
      Rule{!selects(query),
           "query must have one of the properties 'id', 'ids', 'criteria', 'search', 'sort'"},
  });
}

std::optional<Exception> check_several(const Query& query) {
  return first_broken(std::array{
      Rule{query.version.has_value(), "query/version is only for operations over one object"},
      Rule{!query.ids && !query.limit, "query must have property 'ids' or 'limit'"},
      Rule{query.omit && (!query.sort || query.sort->empty()),
           "query must have property 'sort' when property 'omit' is present"},
  });
}

std::optional<Exception> check_stream(const Query& query) {
  const bool steady = !query.sort || is_steady(*query.sort);
  return first_broken(std::array{
      Rule{query.version.has_value(), "query/version is only for operations over one object"},
      Rule{query.omit.has_value(), "query/omit is only for operations over entries"},
      Rule{query.sample.has_value(), "query/sample is only for operations over entries"},
      Rule{query.limit && !steady,
           "query/sort of a stream with property 'limit' must be by 'id' or 'CREATED' alone"},
  });
}

}  // namespace

std::optional<Exception> check_query(const Operation& operation, const Request& request) {
  if (!request.query) return check_absence(operation, request);
  if (operation.query == QueryRule::must_not || operation.scope == Scope::none) {
    return refuse(fmt::format("'{}' accepts no query", operation.label));
  }
  const auto& query = *request.query;
  if (query.id && query.ids) return refuse("query must NOT have both 'id' and 'ids'");
  if (auto refused = check_type(operation, query)) return refused;
  if (operation.scope == Scope::stream) return check_stream(query);
  return operation.scope == Scope::entries ? check_several(query) : check_one(query);
}

}  // namespace toa::operation
