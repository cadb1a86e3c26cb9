#include "manifest/receiver_judge.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"

namespace toa::manifest {
namespace {

/// The component that has an event of this label.
Component* publisher_of(Application& application, const std::string& label) {
  const auto event = Endpoint::parse(label);
  if (!event) return nullptr;
  const auto found = application.components.find(event->component);
  if (found == application.components.end()) return nullptr;
  return found->second.events.contains(event->operation) ? &found->second : nullptr;
}

/// Whether a message for an object that was never written is lost, though its author may mean it
/// to make the object.
bool may_miss(const Component& component, const Receiver& receiver) {
  const auto found = component.operations.find(receiver.operation);
  if (receiver.file.empty() || found == component.operations.end()) return false;
  const auto& operation = found->second;
  return operation.type == Type::transition && operation.scope == Scope::entry &&
         operation.query != QueryRule::must_not && component.entity &&
         !component.entity->associated;
}

/// What a request that is a payload alone lacks, or nothing: every delivery would be parked.
std::string_view refuses_payload(const Component& component, const Receiver& receiver) {
  const auto found = component.operations.find(receiver.operation);
  if (!receiver.file.empty() || found == component.operations.end()) return {};
  const auto& operation = found->second;
  const bool selects = operation.query == QueryRule::must || operation.scope == Scope::entries ||
                       operation.scope == Scope::changeset;
  if (selects) return "must be called with a query";
  return operation.input ? "" : "accepts no input";
}

std::string warning(const Problem& at, const Receiver& receiver, std::string_view why) {
  return fmt::format("{}:{}: {}: operation '{}' {}", at.file, at.line, at.key, receiver.operation,
                     why);
}

constexpr auto misses =
    "does not find an object that was never written; add 'associated: true' to the entity if this "
    "receiver is to make it";

}  // namespace

void judge_receivers(Draft& draft) {
  auto& application = draft.application;
  for (const auto& [id, component] : application.components) {
    for (const auto& [label, receiver] : component.receivers) {
      const auto at = draft.receivers.find(std::pair(id, label));
      require(at != draft.receivers.end(), "a receiver was read without its place");
      auto* publisher = publisher_of(application, label);
      if (publisher == nullptr) {
        auto problem = at->second;
        problem.message = fmt::format("the application has no event '{}'", label);
        draft.problems.push_back(std::move(problem));
        continue;
      }
      publisher->announced = true;
      application.receivers[label].push_back(id);
      if (publisher->id != id && may_miss(component, receiver))
        application.warnings.push_back(warning(at->second, receiver, misses));
      if (const auto why = refuses_payload(component, receiver); !why.empty()) {
        application.warnings.push_back(warning(
            at->second, receiver,
            fmt::format("{}, and without a file receivers/{}.ts (or .js, …) the request is the "
                        "event's payload as `input`: every delivery would be parked",
                        why, receiver.label)));
      }
    }
  }
}

}  // namespace toa::manifest
