#include <array>

#include "manifest/read.hpp"

namespace toa::manifest {
namespace {

JsonArray texts(const std::vector<std::string>& texts) {
  return JsonArray(texts.begin(), texts.end());
}

JsonObject entity(const Entity& entity) {
  JsonObject out{{"properties", entity.properties}};
  if (!entity.required.empty()) out["required"] = texts(entity.required);
  if (!entity.blank.empty()) out["blank"] = entity.blank;
  out["associated"] = entity.associated;
  out["storage"] = entity.storage.empty() ? Json(nullptr) : Json(entity.storage);
  return out;
}

JsonObject operation(const Operation& operation) {
  JsonObject out;
  if (!operation.description.empty()) out["description"] = operation.description;
  out["type"] = name(operation.type);
  out["scope"] = name(operation.scope);
  if (!operation.forward.empty()) out["forward"] = operation.forward;
  if (operation.query != QueryRule::may) out["query"] = operation.query == QueryRule::must;
  if (operation.concurrency != Concurrency::unstated) {
    out["concurrency"] = operation.concurrency == Concurrency::retry ? "retry" : "none";
  }
  if (operation.once_window_s) out["once"] = *operation.once_window_s;
  if (operation.unchained) out["unchained"] = true;
  if (operation.input) out["input"] = operation.input->schema();
  if (operation.output) out["output"] = operation.output->schema();
  if (!operation.errors.empty()) out["errors"] = texts(operation.errors);
  return out;
}

JsonObject receiver(const Receiver& receiver) {
  JsonObject out{{"operation", receiver.operation}};
  if (!receiver.arguments.empty()) out["arguments"] = receiver.arguments;
  return out;
}

}  // namespace

Json normalised(const Component& component) {
  JsonObject out{{"name", component.name}};
  if (component.space) out["namespace"] = *component.space;
  if (component.entity) out["entity"] = entity(*component.entity);
  JsonObject operations;
  for (const auto& [name, declared] : component.operations) operations[name] = operation(declared);
  out["operations"] = std::move(operations);
  JsonObject receivers;
  for (const auto& [label, declared] : component.receivers) receivers[label] = receiver(declared);
  if (!receivers.empty()) out["receivers"] = std::move(receivers);
  if (component.keeps_state) out["state"] = nullptr;
  if (component.has_stash) out["stash"] = nullptr;
  if (component.entity && !component.inherits) out["prototype"] = nullptr;
  if (component.configuration) out["configuration"] = component.configuration->declared;
  return out;
}

}  // namespace toa::manifest
