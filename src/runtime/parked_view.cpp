#include "runtime/parked_view.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "delivery/steps/ladder.hpp"
#include "operation/router.hpp"
#include "operation/steps/check.hpp"

namespace toa::runtime {
namespace {

/// Of JSON that this program wrote; what cannot be read is shown as the text that it is.
Json value_of(const std::string& text) {
  auto value =
      json::parse(text, {.bytes_max = text.size(), .depth_max = limits::document_depth_max + 2});
  return value ? std::move(*value) : Json(text);
}

bool is_named(const std::string& wanted, const std::string& name) {
  return wanted == name || "default." + wanted == name;
}

// What was parked before its last attempt was known to be beyond help, whatever its code says.
bool is_permanent(const ParkedMessage& parked) {
  return toa::is_permanent(parked.failure.code) ||
         parked.message.attempt < delivery::Ladder{}.attempts();
}

const manifest::Operation* operation_of(const std::string& endpoint,
                                        const manifest::Application& application) {
  const auto parts = Endpoint::parse(endpoint);
  return parts ? application.find(*parts) : nullptr;
}

}  // namespace

std::string endpoint_of(const Message& message, const ParkedNames& names) {
  if (message.kind == MessageKind::task) return message.name;
  const auto* component = names.application.find(message.component);
  if (component == nullptr) return message.component.value;
  const auto receiver = component->receivers.find(message.name);
  if (receiver == component->receivers.end()) return message.component.value;
  return Endpoint{message.component, receiver->second.operation}.str();
}

bool is_selected(const ParkedSelection& selection, const ParkedMessage& parked,
                 const std::string& endpoint) {
  const auto& message = parked.message;
  if (selection.until && parked.at > *selection.until) return false;
  if (!selection.component.empty() && !is_named(selection.component, message.component.value))
    return false;
  if (!selection.endpoint.empty() && !is_named(selection.endpoint, endpoint) &&
      !is_named(selection.endpoint, message.name))
    return false;
  if (!parked.failure.reason.contains(selection.reason)) return false;
  if (selection.ids.empty()) return true;
  const auto id = message.id.hex();
  return std::ranges::any_of(selection.ids,
                             [&id](const auto& start) { return id.starts_with(start); });
}

JsonObject brief_of(const ParkedMessage& parked, const std::string& endpoint) {
  const auto& message = parked.message;
  const auto& failure = parked.failure;
  return {{"id", message.id.hex()},
          {"endpoint", endpoint},
          {"event", message.kind == MessageKind::event ? Json(message.name) : Json()},
          {"attempt", message.attempt},
          {"reason", failure.reason},
          {"cause", failure.cause ? value_of(*failure.cause) : Json()},
          {"at", parked.at}};
}

void add_details(JsonObject& item, const ParkedMessage& parked) {
  const auto& message = parked.message;
  item["component"] = message.component.value;
  item["made"] = message.made;
  item["exception"] = {{"name", exception_name(parked.failure.code)},
                       {"code", static_cast<int>(parked.failure.code)},
                       {"permanent", is_permanent(parked)},
                       {"stack", parked.failure.stack}};
  item["trail"] = boost::json::value_from(message.trail);
  if (message.kind == MessageKind::event) item["payload"] = value_of(message.body);
}

JsonObject print_request(const Request& request, const Message& message) {
  JsonObject out{{"id", request.id.value_or(message.id).hex()}};
  if (request.query) out["query"] = request.query->print();
  if (request.input) out["input"] = request.input->value();
  if (request.output) out["output"] = boost::json::value_from(*request.output);
  return out;
}

std::optional<std::string> why_it_stays(const Message& message, const ParkedNames& names) {
  if (names.known == Known::in_part || names.application.find(message.component) != nullptr)
    return std::nullopt;
  return "the application has no component '" + message.component.value + "'";
}

std::optional<std::string> why_refused(const std::string& endpoint, const Request& request,
                                       const manifest::Application& application) {
  const auto* operation = operation_of(endpoint, application);
  if (operation == nullptr) return operation::no_endpoint(application, endpoint).message;
  auto refused = operation::check_envelope(*operation, request);
  const auto* component = application.find(operation->endpoint.component);
  if (!refused && component->entity) refused = operation::check_id(*component->entity, request);
  return refused ? std::optional(std::move(refused->message)) : std::nullopt;
}

std::optional<std::string> why_not_run(const std::string& endpoint, const Request& request,
                                       const manifest::Application& application) {
  const auto* operation = operation_of(endpoint, application);
  auto refused = operation == nullptr ? std::nullopt : operation::check_input(*operation, request);
  return refused ? std::optional(std::move(refused->message)) : std::nullopt;
}

}  // namespace toa::runtime
