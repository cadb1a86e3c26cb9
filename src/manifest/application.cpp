#include "manifest/application.hpp"

#include <algorithm>
#include <array>

namespace toa::manifest {
namespace {

constexpr std::array<std::string_view, 6> type_names{"transition",  "observation", "assignment",
                                                     "computation", "effect",      "unmanaged"};
constexpr std::array<std::string_view, 5> scope_names{"none", "entry", "entries", "changeset",
                                                      "stream"};

template <class T, std::size_t N>
std::optional<T> named(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<T>(found - names.begin());
}

}  // namespace

std::string_view name(Type type) {
  return type_names.at(static_cast<std::size_t>(type));
}
std::string_view name(Scope scope) {
  return scope_names.at(static_cast<std::size_t>(scope));
}
std::optional<Type> type_of(std::string_view name) {
  return named<Type>(type_names, name);
}
std::optional<Scope> scope_of(std::string_view name) {
  return named<Scope>(scope_names, name);
}

std::vector<std::string> Component::folders() const {
  std::vector<std::string> out{path};
  out.insert(out.end(), prototypes.begin(), prototypes.end());
  return out;
}

const Component* Application::find(const ComponentId& id) const {
  const auto found = components.find(id);
  return found == components.end() ? nullptr : &found->second;
}

std::size_t Application::authored() const {
  const auto own =
      std::ranges::count_if(components, [](const auto& entry) { return entry.second.is_own(); });
  return components.size() - static_cast<std::size_t>(own);
}

const Operation* Application::find(const Endpoint& endpoint) const {
  const auto* component = find(endpoint.component);
  if (component == nullptr) return nullptr;
  const auto found = component->operations.find(endpoint.operation);
  return found == component->operations.end() ? nullptr : &found->second;
}

std::vector<const Component*> receivers_of(const Application& application,
                                           const std::string& label) {
  std::vector<const Component*> receivers;
  const auto found = application.receivers.find(label);
  if (found == application.receivers.end()) return receivers;
  for (const auto& id : found->second) receivers.push_back(application.find(id));
  return receivers;
}

bool announces(const Application& /*application*/, const Component& component) {
  return component.announced;
}

}  // namespace toa::manifest
