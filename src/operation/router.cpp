#include "operation/router.hpp"

#include "operation/invocation.hpp"

namespace toa::operation {
namespace {

Exception overloaded(std::size_t most) {
  return {.code = Code::transmission,
          .message = std::to_string(most) +
                     " calls are under way already; make the call again, under the same id"};
}

}  // namespace

Exception no_endpoint(const manifest::Application& application, const std::string& endpoint) {
  Exception missing{.code = Code::endpoint};
  const auto parsed = Endpoint::parse(endpoint);
  if (!parsed) {
    missing.message =
        "'" + endpoint + "' is no endpoint: it takes <namespace>.<component>.<operation>";
  } else if (application.find(parsed->component) == nullptr) {
    missing.message =
        "'" + endpoint + "': the application has no component '" + parsed->component.value + "'";
  } else {
    const bool waits = application.find(parsed->component)->inherits &&
                       (parsed->operation == "transit" || parsed->operation == "assign");
    missing.message = "'" + parsed->component.value + "' has no operation '" + parsed->operation +
                      (waits ? "': it is inherited once the manifest declares it" : "'");
  }
  return missing;
}

Task<Reply> Router::originate(std::string endpoint, Request request, bridge::Consumer* consumer) {
  return originate(Call{.endpoint = std::move(endpoint), .request = std::move(request)}, consumer);
}

Task<Reply> Router::originate(Call call, bridge::Consumer* consumer) {
  if (origins_ >= world_.origins_max) co_return Reply{overloaded(world_.origins_max)};
  if (!call.request.id) call.request.id = new_identity(world_.clock, world_.random);
  const bool task = call.request.task == AsTask::yes;
  ++origins_;
  auto reply = task ? co_await hand_over(std::move(call))
                    : co_await route(std::move(call), nullptr, consumer);
  --origins_;
  co_return reply;
}

Task<Reply> Router::hand_over(Call task) {
  const auto endpoint = Endpoint::parse(task.endpoint);
  // An operation that its component lacks is found out when the task is taken (R25); a component
  // that is not there would leave nobody to take it.
  if (!endpoint || world_.application.find(endpoint->component) == nullptr)
    co_return Reply{no_endpoint(world_.application, task.endpoint)};
  const auto* operation = world_.application.find(*endpoint);
  if (operation != nullptr) {
    if (auto refused = check_safety(task.trail, task.readonly, *operation))
      co_return Reply{std::move(*refused)};
  }
  task.endpoint = endpoint->str();
  auto taken = co_await world_.outgoing.hand_over(std::move(task));
  if (!taken)
    co_return Reply{Exception{.code = Code::system, .message = std::move(taken.error().message)}};
  co_return Reply{Output{Document::of(nullptr)}};
}

Task<Reply> Router::route(Call call, Lineage* above, bridge::Consumer* consumer) {
  const auto endpoint = Endpoint::parse(call.endpoint);
  const auto* operation = endpoint ? world_.application.find(*endpoint) : nullptr;
  if (operation == nullptr) co_return Reply{no_endpoint(world_.application, call.endpoint)};
  const auto& component = *world_.application.find(endpoint->component);
  Invocation invocation(*this, component, *operation, std::move(call), above, consumer);
  co_return co_await invocation.serve();
}

}  // namespace toa::operation
