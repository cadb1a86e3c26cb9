#include "bridge/node/application_document.hpp"

#include <charconv>

#include "base/json.hpp"

namespace toa::bridge::node {
namespace {

JsonArray operations_of(const ComponentSource& component) {
  JsonArray out;
  for (const auto& operation : component.operations) {
    out.push_back(JsonObject{
        {"number", operation.number.value}, {"name", operation.name}, {"file", operation.file}});
  }
  return out;
}

JsonObject events_of(const EventsSource& events) {
  JsonArray files;
  for (const auto& file : events.files) {
    files.push_back(JsonObject{{"event", file.event}, {"file", file.file}});
  }
  return {{"number", events.number.value}, {"files", std::move(files)}};
}

JsonArray receivers_of(const ComponentSource& component) {
  JsonArray out;
  for (const auto& receiver : component.receivers) {
    out.push_back(JsonObject{
        {"number", receiver.number.value}, {"event", receiver.event}, {"file", receiver.file}});
  }
  return out;
}

JsonObject guards_of(const GuardsSource& guards) {
  JsonArray files;
  for (const auto& file : guards.files) {
    files.push_back(JsonObject{{"guard", file.guard}, {"file", file.file}});
  }
  return {{"number", guards.number.value}, {"files", std::move(files)}};
}

JsonObject commands_of(const CommandsSource& commands) {
  JsonArray files;
  for (const auto& file : commands.files) {
    files.push_back(JsonObject{{"command", file.command}, {"file", file.file}});
  }
  return {{"number", commands.number.value}, {"files", std::move(files)}};
}

JsonObject component_of(const ComponentSource& component) {
  JsonArray secrets;
  for (const auto& path : component.secrets) {
    secrets.push_back(JsonArray(path.begin(), path.end()));
  }
  JsonObject out{{"id", component.id},
                 {"namespace", component.space ? Json(*component.space) : Json(nullptr)},
                 {"name", component.name},
                 {"path", component.path},
                 {"operations", operations_of(component)},
                 {"receivers", receivers_of(component)},
                 {"secrets", std::move(secrets)}};
  if (component.events) out["events"] = events_of(*component.events);
  if (component.guards) out["guards"] = guards_of(*component.guards);
  if (component.commands) out["commands"] = commands_of(*component.commands);
  if (component.keeps_state) out["state"] = true;
  if (component.has_stash) out["stash"] = true;
  if (component.configuration) out["configuration"] = *component.configuration;
  return out;
}

std::optional<std::string> text_at(const Json& object, std::string_view key) {
  const auto* found = json::find(object, key);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string(found->get_string());
}

std::optional<std::int64_t> number_at(const Json& object, std::string_view key) {
  const auto* found = json::find(object, key);
  if (found == nullptr || !found->is_int64()) return std::nullopt;
  return found->get_int64();
}

/// Adds what was found of one number; false where the element is malformed.
bool add(Loaded& out, const Json& element) {
  const auto number = number_at(element, "number");
  if (!number || *number < 0 || *number > UINT32_MAX) return false;
  const OperationNumber operation(static_cast<std::uint32_t>(*number));
  if (auto problem = text_at(element, "error")) {
    const auto line = number_at(element, "line").value_or(0);
    out.faults.push_back({operation, std::move(*problem), text_at(element, "file").value_or(""),
                          static_cast<int>(line)});
    return true;
  }
  auto type = text_at(element, "type");
  if (!type) return false;
  out.found.push_back({operation, std::move(*type), text_at(element, "scope")});
  return true;
}

}  // namespace

std::string application_document(const Application& application,
                                 std::chrono::milliseconds clock_shift) {
  JsonArray components;
  for (const auto& component : application.components)
    components.push_back(component_of(component));
  JsonObject endpoints;
  for (const auto& endpoint : application.endpoints) {
    endpoints[endpoint] = JsonObject{{"stateful", false}};
  }
  return json::print(JsonObject{{"name", application.name},
                                {"env", application.environment},
                                {"region", application.region},
                                {"instance", application.instance},
                                {"clock_ms", clock_shift.count()},
                                {"components", std::move(components)},
                                {"endpoints", std::move(endpoints)}});
}

Result<WorkerLoaded> read_loaded(std::string_view document) {
  const auto value = json::parse(document);
  if (!value) return std::unexpected(value.error());
  const auto* operations = json::find(*value, "operations");
  auto node = text_at(*value, "node");
  if (!node || operations == nullptr || !operations->is_array()) {
    return fail(ErrorKind::broken, "the worker did not say what it loaded");
  }
  WorkerLoaded out{.loaded = {}, .node = std::move(*node)};
  for (const auto& element : operations->get_array()) {
    if (!add(out.loaded, element)) {
      return fail(ErrorKind::broken,
                  "the worker described what it loaded wrongly: " + json::print(element));
    }
  }
  return out;
}

std::optional<int> major_version(std::string_view version) {
  if (version.starts_with('v')) version.remove_prefix(1);
  int major = 0;
  const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), major);
  if (error != std::errc{} || end == version.data()) return std::nullopt;
  return major;
}

}  // namespace toa::bridge::node
