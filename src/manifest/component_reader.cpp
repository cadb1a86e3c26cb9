#include "manifest/component_reader.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

#include "manifest/configuration_reader.hpp"
#include "manifest/entity_reader.hpp"
#include "manifest/event_reader.hpp"
#include "manifest/exposition_reader.hpp"
#include "manifest/file.hpp"
#include "manifest/guard_reader.hpp"
#include "manifest/identity_reader.hpp"
#include "manifest/migration_reader.hpp"
#include "manifest/operation_reader.hpp"
#include "manifest/prototype.hpp"
#include "manifest/receiver_reader.hpp"

namespace toa::manifest {
namespace {

namespace fs = std::filesystem;

// To ignore one of these would lose something that its author relies on.
constexpr std::array<std::string_view, 8> keys_elsewhere{"bindings",   "realtime",   "storages",
                                                         "cadence",    "continuity", "telemetry",
                                                         "extensions", "convergence"};
// Without these, less is opened or built, and nothing goes wrong.
constexpr std::array<std::string_view, 4> keys_warned{"introspection", "files", "ignore", "build"};

/// The long form of the key `exposition` (G3).
bool holds_only_exposition(const Section& extensions) {
  const auto parts = extensions.parts();
  return parts.size() == 1 && parts.front().name() == "@toa.io/extensions.exposition";
}

void read_keys(const Section& manifest, std::vector<std::string>& warnings) {
  manifest.refuse_unknown(
      {"name",      "namespace", "entity",     "operations", "configuration", "prototype",
       "version",   "files",     "ignore",     "build",      "exposition",    "introspection",
       "receivers", "bindings",  "bridge",     "realtime",   "storages",      "stash",
       "state",     "cadence",   "continuity", "telemetry",  "extensions",    "convergence"});
  for (const auto name : keys_elsewhere) {
    const auto found = manifest.find(name);
    if (!found || (name == "extensions" && holds_only_exposition(*found))) continue;
    found->report(fmt::format("'{}' is not supported by this release", name));
  }
  for (const auto name : keys_warned) {
    const auto found = manifest.find(name);
    if (!found) continue;
    warnings.push_back(
        fmt::format("{}:{}: {} is not used by this release", found->file(), found->line(), name));
  }
}

/// Whether a member of the context is asked for; there is nothing to say about it.
bool asks_for(const Section& manifest, std::string_view name) {
  const auto found = manifest.find(name);
  if (!found || found->value() == false) return false;
  const auto& value = found->value();
  const bool empty = value.is_object() && value.get_object().empty();
  if (!value.is_null() && value != true && !empty) {
    found->report(fmt::format("'{0}' takes nothing: write '{0}: ~'", name));
  }
  return true;
}

void refuse_other_bridge(const Section& manifest) {
  const auto bridge = manifest.find("bridge");
  if (!bridge || bridge->value() == "node") return;
  bridge->report("must be 'node': no other bridge is supported by this release");
}

void check_name(const Section& manifest, const char* key, const std::string& name) {
  if (is_component_name(name)) return;
  const auto declared = manifest.find(key);
  (declared ? *declared : manifest)
      .report(fmt::format("{} '{}' must be a letter, then up to 31 letters or digits", key, name));
}

void read_address(const Section& manifest, const std::string& folder, Component& component) {
  auto name = manifest.text("name");
  auto space = manifest.text("namespace");
  if (!manifest.find("name")) {
    const auto dot = folder.find('.');
    name = dot == std::string::npos ? folder : folder.substr(dot + 1);
    if (!space && dot != std::string::npos) space = folder.substr(0, dot);
  }
  if (name) check_name(manifest, "name", *name);
  if (space) check_name(manifest, "namespace", *space);
  if (space == "system") {
    const auto declared = manifest.find("namespace");
    (declared ? *declared : manifest).report("namespace 'system' is reserved");
  }
  component.name = name.value_or(folder);
  component.space = space;
  component.id = ComponentId(space.value_or("default") + "." + component.name);
}

}  // namespace

ComponentReader::ComponentReader(Draft& draft, std::optional<Section> stated,
                                 const Variables& variables)
    : draft_(draft), stated_(std::move(stated)), variables_(variables) {}

void ComponentReader::read(const std::string& folder) {
  Component component;
  component.path = folder;
  component.manifest = manifest_file(folder);
  std::error_code error;
  if (!fs::exists(component.manifest, error)) {
    draft_.problems.push_back(
        {component.manifest, 0, "", "is missing: every folder of components/ has one"});
    return;
  }
  auto yaml = load_yaml(component.manifest, draft_.problems);
  if (!yaml) return;
  if (yaml->value.is_null()) yaml->value = JsonObject{};
  if (!Section(component.manifest, *yaml, draft_.problems).must_be_object()) return;
  auto inheriting = with_prototypes(folder, *std::move(yaml), draft_.problems);
  component.prototypes = std::move(inheriting.prototypes);
  component.inherits = inheriting.generic;
  const Section manifest(component.manifest, inheriting.manifest, draft_.problems);
  read_manifest(std::move(component), manifest);
}

void ComponentReader::read_manifest(Component component, const Section& manifest) {
  read_keys(manifest, draft_.application.warnings);
  refuse_other_bridge(manifest);
  read_address(manifest, fs::path(component.path).filename().string(), component);
  if (const auto* other = draft_.application.find(component.id)) {
    manifest.report(
        fmt::format("component '{}' is already in {}", component.id.value, other->path));
    return;
  }
  if (const auto entity = manifest.find("entity")) component.entity = read_entity(*entity);
  component.migrations = read_migrations(component, draft_.problems, draft_.application.warnings);
  if (const auto declared = manifest.find("configuration")) {
    component.configuration = read_configuration(*declared, stated_for(component.id), variables_);
  }
  component.exposition = read_exposition(manifest, draft_.application.context.environment);
  component.inherits = component.inherits && component.entity.has_value();
  component.keeps_state = asks_for(manifest, "state");
  component.has_stash = asks_for(manifest, "stash");
  OperationReader(draft_, {component, manifest}, next_number_).read();
  read_events(draft_, component, next_number_);
  read_guards(draft_, component, next_number_);
  read_commands(draft_, component, next_number_);
  ReceiverReader(draft_, component, next_number_).read(manifest);
  const auto id = component.id;
  draft_.application.components.emplace(id, std::move(component));
}

std::optional<Section> ComponentReader::stated_for(const ComponentId& id) const {
  if (!stated_) return std::nullopt;
  constexpr std::string_view no_namespace = "default.";
  auto found = stated_->find(id.value);
  if (found || !id.value.starts_with(no_namespace)) return found;
  return stated_->find(id.value.substr(no_namespace.size()));
}

void ComponentReader::refuse_unwanted_configuration() const {
  for (const auto& part : stated_ ? stated_->parts() : std::vector<Section>{}) {
    if (is_of_identity(part.name())) continue;
    const bool full = part.name().find('.') != std::string::npos;
    const ComponentId id(full ? part.name() : "default." + part.name());
    const auto* component = draft_.application.find(id);
    if (component != nullptr && component->configuration) continue;
    part.report(fmt::format("Component '{}' does not request configuration or does not exist.",
                            part.name()));
  }
}

}  // namespace toa::manifest
