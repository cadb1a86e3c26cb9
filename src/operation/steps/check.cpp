#include "operation/steps/check.hpp"

#include "operation/steps/query_rules.hpp"

namespace toa::operation {
namespace {

Exception refuse(std::string message) {
  return {.code = Code::request_contract, .message = std::move(message)};
}

/// What the runtime itself gives.
bool is_plain_id(std::string_view id) {
  constexpr std::string_view digits = "0123456789abcdef";
  return id.size() == 32 && id.find_first_not_of(digits) == std::string_view::npos;
}

}  // namespace

std::optional<Exception> check_envelope(const manifest::Operation& operation,
                                        const Request& request) {
  if (operation.once_window_s && !request.id) {
    return refuse("'" + operation.label + "' is made once, and this call carries no id");
  }
  return check_query(operation, request);
}

std::optional<Exception> check_id(const manifest::Entity& entity, const Request& request) {
  if (!entity.associated || json::find(entity.properties, "id") != nullptr) return std::nullopt;
  const auto refused = [](std::string_view at) {
    return refuse(std::string(at) +
                  "/id must be 32 hex digits in lower case, since the entity declares no `id`");
  };
  if (request.query && request.query->id && !is_plain_id(request.query->id->value))
    return refused("query");
  const auto* id = request.entity ? json::find(request.entity->value(), "id") : nullptr;
  if (id != nullptr && id->is_string() && !is_plain_id(std::string_view(id->get_string())))
    return refused("entity");
  return std::nullopt;
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
