#include "manifest/entity_reader.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace toa::manifest {
namespace {

constexpr std::array<std::string_view, 7> system_properties{
    "VERSION", "CREATED", "UPDATED", "DELETED", "REGION", "TRAILERS", "DISCARD"};

// `mongodb` is the manual's default: whatever keeps the application's state.
constexpr std::array<std::string_view, 2> application_storages{"sqlite", "mongodb"};

void refuse_system_properties(const Section& section) {
  for (const auto& part : section.parts()) {
    if (std::ranges::find(system_properties, part.name()) == system_properties.end()) continue;
    part.report(fmt::format("System property '{}' cannot be overridden", part.name()));
  }
}

JsonObject read_properties(const Section& entity) {
  const auto properties = entity.find("properties");
  if (!properties || !properties->must_be_object()) return {};
  refuse_system_properties(*properties);
  return properties->value().get_object();
}

std::vector<std::string> read_required(const Section& entity, const JsonObject& properties) {
  auto required = entity.texts("required");
  for (std::size_t i = 0; i < required.size(); ++i) {
    if (required[i] == "id" || properties.contains(required[i])) continue;
    entity.report_at({"required", std::to_string(i)},
                     fmt::format("'{}' is not among the properties", required[i]));
  }
  return required;
}

Json entity_schema(const JsonObject& properties, const std::vector<std::string>& required) {
  JsonObject all = properties;
  if (!all.contains("id")) all["id"] = {{"type", "string"}, {"pattern", "^[0-9a-f]{32}$"}};
  JsonObject schema{{"type", "object"}, {"properties", all}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = JsonArray(required.begin(), required.end());
  return schema;
}

Contract compile(const Section& entity, const Json& schema) {
  auto contract = Contract::check(schema);
  if (contract) return *std::move(contract);
  for (const auto& problem : contract.error()) entity.report_at(problem.path, problem.message);
  return Contract::anything();
}

/// Where one schema of the properties is wrong, the others are still good. Nothing also for a wrong
/// one, which is reported itself.
std::optional<std::string> misfit_alone(const JsonObject& properties, const Section& part) {
  auto contract = Contract::check(entity_schema(properties, {}));
  if (!contract) {
    contract = Contract::check(
        JsonObject{{"properties", JsonObject{{part.name(), properties.at(part.name())}}}});
  }
  return contract ? contract->misfit(JsonObject{{part.name(), part.value()}}) : std::nullopt;
}

/// Each value alone, so that all that misfit are found, and nothing is asked of those not given.
JsonObject read_blank(const Section& entity, const JsonObject& properties) {
  const auto blank = entity.find("blank");
  if (!blank || !blank->must_be_object()) return {};
  refuse_system_properties(*blank);
  for (const auto& part : blank->parts()) {
    if (part.name() == "id" && !properties.contains("id")) continue;
    if (std::ranges::find(system_properties, part.name()) != system_properties.end()) continue;
    if (!properties.contains(part.name())) {
      part.report(fmt::format("'{}' is not among the properties", part.name()));
    } else if (const auto misfit = misfit_alone(properties, part)) {
      part.report(*misfit);
    }
  }
  return blank->value().get_object();
}

std::string read_storage(const Section& entity) {
  const auto storage = entity.find("storage");
  if (!storage) return "sqlite";
  if (storage->value().is_null()) return "";
  const auto name = entity.text("storage");
  if (name && std::ranges::find(application_storages, *name) == application_storages.end()) {
    storage->report(
        fmt::format("storage '{}' is not supported by this release: leave it out, or use sqlite, "
                    "or ~ to keep nothing",
                    *name));
  }
  return "sqlite";
}

bool is(const Json& value, std::string_view text) {
  const auto* string = value.if_string();
  return string != nullptr && *string == text;
}

bool has_type(const Json& schema, std::string_view type) {
  const auto* given = json::find(schema, "type");
  if (given == nullptr) return false;
  if (!given->is_array()) return is(*given, type);
  return std::ranges::any_of(given->get_array(), [&](const Json& one) { return is(one, type); });
}

std::vector<Moment> moments(const JsonObject& properties) {
  std::vector<Moment> found;
  for (const auto& [name, schema] : properties) {
    const auto* format = json::find(schema, "format");
    if (format == nullptr) continue;
    if (is(*format, "date-time") && has_type(schema, "string")) {
      found.push_back({name, Moment::Form::iso});
    } else if (is(*format, "epoch-millis") && has_type(schema, "integer")) {
      found.push_back({name, Moment::Form::epoch_millis});
    }
  }
  return found;
}

}  // namespace

Entity read_entity(const Section& section) {
  section.must_be_object();
  section.refuse_unknown({"properties", "required", "blank", "associated", "storage"});
  auto properties = read_properties(section);
  auto required = read_required(section, properties);
  auto contract = compile(section, entity_schema(properties, required));
  return Entity{.properties = properties,
                .required = std::move(required),
                .blank = read_blank(section, properties),
                .associated = section.flag("associated").value_or(false),
                .storage = read_storage(section),
                .moments = moments(properties),
                .contract = std::move(contract)};
}

}  // namespace toa::manifest
