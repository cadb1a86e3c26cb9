#include "manifest/guard_reader.hpp"

#include <fmt/format.h>

#include "manifest/code_files.hpp"

namespace toa::manifest {
namespace {

constexpr CodeFolder guards{
    "guards", "the name of a guard is a letter, then letters, digits and underscores"};
constexpr CodeFolder commands{"rc", ""};

/// The number of all of them, where there are any.
std::uint32_t add(Draft& draft, const ComponentId& component,
                  const std::map<std::string, std::string>& files, CodeFile::Kind kind,
                  std::uint32_t& next_number) {
  if (files.empty()) return 0;
  const auto number = next_number++;
  for (const auto& [name, file] : files)
    draft.code[component].push_back({number, name, file, kind});
  return number;
}

}  // namespace

void read_guards(Draft& draft, Component& component, std::uint32_t& next_number) {
  component.guards = code_files(component.folders(), guards, draft.problems);
  component.guards_number =
      add(draft, component.id, component.guards, CodeFile::Kind::guard, next_number);
  if (component.entity) return;
  for (const auto& [name, file] : component.guards) {
    draft.problems.push_back(
        {file, 0, "",
         fmt::format("component '{}' has no entity, and so nothing that a guard could refuse",
                     component.id.value)});
  }
}

void read_commands(Draft& draft, Component& component, std::uint32_t& next_number) {
  component.commands = code_files(component.folders(), commands, draft.problems);
  component.commands_number =
      add(draft, component.id, component.commands, CodeFile::Kind::command, next_number);
}

}  // namespace toa::manifest
