#include "operation/steps/check.hpp"

namespace toa::operation {
namespace {

using manifest::QueryRule;
using manifest::Type;

Exception refuse(std::string message) {
  return {.code = Code::request_contract, .message = std::move(message)};
}

std::optional<Exception> check_query(const manifest::Operation& operation, const Query& query) {
  const bool observes = operation.type == Type::observation;
  if (query.version && observes) return refuse("query/version is not for observations");
  if (query.projection && !observes) return refuse("query/projection is only for observations");
  if (!query.id) return refuse("query must have required property 'id'");
  return std::nullopt;
}

}  // namespace

std::optional<Exception> check_envelope(const manifest::Operation& operation,
                                        const Request& request) {
  if (operation.once_window_s && !request.id) {
    return refuse("'" + operation.label + "' is made once, and this call carries no id");
  }
  if (request.query && operation.query == QueryRule::must_not) {
    return refuse("'" + operation.label + "' accepts no query");
  }
  if (!request.query && operation.query == QueryRule::must) {
    return refuse("must have required property 'query'");
  }
  return request.query ? check_query(operation, *request.query) : std::nullopt;
}

std::optional<Exception> check_input(const manifest::Operation& operation, const Request& request) {
  const bool absent = !request.input || request.input->value().is_null();
  if (!operation.input) {
    if (absent) return std::nullopt;
    return refuse("'" + operation.label + "' accepts no input");
  }
  if (!request.input) return refuse("must have required property 'input'");
  auto misfit = operation.input->misfit(request.input->value());
  if (misfit) return refuse(std::move(*misfit));
  return std::nullopt;
}

}  // namespace toa::operation
