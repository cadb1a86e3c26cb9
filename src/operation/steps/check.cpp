#include "operation/steps/check.hpp"

#include "operation/steps/query_rules.hpp"

namespace toa::operation {
namespace {

Exception refuse(std::string message) {
  return {.code = Code::request_contract, .message = std::move(message)};
}

}  // namespace

std::optional<Exception> check_envelope(const manifest::Operation& operation,
                                        const Request& request) {
  if (operation.once_window_s && !request.id) {
    return refuse("'" + operation.label + "' is made once, and this call carries no id");
  }
  return check_query(operation, request);
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
