#include "manifest/event_reader.hpp"

#include <array>

#include "manifest/code_files.hpp"

namespace toa::manifest {
namespace {

constexpr CodeFolder folder{
    "events", "the name of an event is a letter, then letters, digits and underscores"};

constexpr std::array<std::pair<std::string_view, InheritedEvent>, 4> inherited_events{{
    {"created", InheritedEvent::created},
    {"updated", InheritedEvent::updated},
    {"deleted", InheritedEvent::deleted},
    {"sync", InheritedEvent::sync},
}};

void add(Component& component, const std::string& name, std::optional<InheritedEvent> inherited,
         const std::string& file) {
  component.events.emplace(name, Event{name, component.id.value + "." + name, inherited, file});
}

}  // namespace

void read_events(Draft& draft, Component& component, std::uint32_t& next_number) {
  const auto files = code_files(component.folders(), folder, draft.problems);
  if (!files.empty()) component.events_number = next_number++;
  for (const auto& [name, file] : files) {
    add(component, name, std::nullopt, file);
    draft.code[component.id].push_back(
        {component.events_number, name, file, CodeFile::Kind::event});
  }
  if (!component.inherits) return;
  for (const auto& [name, kind] : inherited_events) add(component, std::string(name), kind, "");
}

}  // namespace toa::manifest
