#include "operation/router.hpp"

#include "operation/invocation.hpp"

namespace toa::operation {
namespace {

Exception unknown(const manifest::Application& application, const std::string& endpoint) {
  Exception missing{.code = Code::endpoint};
  const auto parsed = Endpoint::parse(endpoint);
  if (!parsed) {
    missing.message =
        "'" + endpoint + "' is no endpoint: it takes <namespace>.<component>.<operation>";
  } else if (application.find(parsed->component) == nullptr) {
    missing.message =
        "'" + endpoint + "': the application has no component '" + parsed->component.value + "'";
  } else {
    missing.message =
        "'" + parsed->component.value + "' has no operation '" + parsed->operation + "'";
  }
  return missing;
}

}  // namespace

Task<Reply> Router::originate(std::string endpoint, Request request) {
  if (!request.id) request.id = new_identity(world_.clock, world_.random);
  co_return co_await route({.endpoint = std::move(endpoint), .request = std::move(request)},
                           nullptr);
}

Task<Reply> Router::route(Call call, Lineage* above) {
  const auto endpoint = Endpoint::parse(call.endpoint);
  const auto* operation = endpoint ? world_.application.find(*endpoint) : nullptr;
  if (operation == nullptr) co_return Reply{unknown(world_.application, call.endpoint)};
  const auto& component = *world_.application.find(endpoint->component);
  Invocation invocation(*this, component, *operation, std::move(call), above);
  co_return co_await invocation.serve();
}

}  // namespace toa::operation
