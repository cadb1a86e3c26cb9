#include "manifest/configuration_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace toa::manifest {
namespace {

// Deployments of the manual give secrets to a process under this prefix.
constexpr std::string_view secret_variable_prefix = "TOA_CONFIGURATION__";

/// The name in `$NAME`.
std::optional<std::string> secret_name(const Json& value) {
  const auto* text = value.if_string();
  if (text == nullptr || text->size() < 2 || text->front() != '$') return std::nullopt;
  const auto name = std::string_view(*text).substr(1);
  const auto fits = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (!std::ranges::all_of(name, fits)) return std::nullopt;
  return std::string(name);
}

/// Fills in what the Context refers to; a missing variable is reported where it is wanted.
class Secrets {
 public:
  explicit Secrets(const Variables& variables) : variables_(variables) {}

  Json resolve(const Section& section) {
    if (const auto name = secret_name(section.value())) return of_variable(section, *name);
    Json out = section.value();
    const auto parts = section.parts();
    if (auto* object = out.if_object()) {
      for (const auto& part : parts) (*object)[part.name()] = resolve(part);
    } else if (auto* array = out.if_array()) {
      for (std::size_t i = 0; i < parts.size(); ++i) (*array)[i] = resolve(parts[i]);
    }
    return out;
  }

  bool complete() const { return complete_; }

 private:
  Json of_variable(const Section& section, const std::string& name) {
    if (auto value = variables_(name)) return Json(*value);
    if (auto value = variables_(std::string(secret_variable_prefix) + name)) return Json(*value);
    complete_ = false;
    section.report(fmt::format(
        "variable {} is not set: export it, or add it to .env beside the Context", name));
    return nullptr;
  }

  const Variables& variables_;
  bool complete_ = true;
};

void merge(JsonObject& into, const JsonObject& from) {
  for (const auto& [key, value] : from) {
    auto* known = into.if_contains(key);
    if (known != nullptr && known->is_object() && value.is_object()) {
      merge(known->get_object(), value.get_object());
    } else {
      into[key] = value;
    }
  }
}

void find_secrets(const Json& schema, const Json& value, std::vector<std::string>& path,
                  std::vector<std::vector<std::string>>& found) {
  const auto* format = json::find(schema, "format");
  if (format != nullptr && *format == "secret") found.push_back(path);
  const auto* properties = json::find(schema, "properties");
  if (properties == nullptr || !properties->is_object()) return;
  for (const auto& [name, inner] : properties->get_object()) {
    const auto* member = json::find(value, name);
    if (member == nullptr) continue;
    path.emplace_back(name);
    find_secrets(inner, *member, path, found);
    path.pop_back();
  }
}

std::optional<Contract> read_schema(const Section& declared) {
  const auto schema = declared.find("schema");
  if (!schema) {
    declared.report("must have required property 'schema'");
    return std::nullopt;
  }
  if (!schema->must_be_object()) return std::nullopt;
  auto object = schema->value().get_object();
  if (!object.contains("type")) object["type"] = "object";
  auto contract = Contract::check(object);
  if (contract) return *std::move(contract);
  for (const auto& problem : contract.error()) schema->report_at(problem.path, problem.message);
  return std::nullopt;
}

}  // namespace

std::optional<Configuration> read_configuration(const Section& declared,
                                                const std::optional<Section>& stated,
                                                const Variables& variables) {
  if (!declared.must_be_object()) return std::nullopt;
  declared.refuse_unknown({"schema", "defaults"});
  Configuration read;
  read.declared = declared.value();
  const auto contract = read_schema(declared);
  const auto defaults = declared.find("defaults");
  if (defaults && defaults->must_be_object()) read.values = defaults->value().get_object();
  Secrets secrets(variables);
  if (stated && stated->must_be_object()) {
    merge(read.values, secrets.resolve(*stated).as_object());
  }
  if (!contract || !secrets.complete()) return read;
  if (const auto misfit = contract->misfit(read.values)) {
    const auto& at = stated ? stated : defaults;
    (at ? *at : declared).report(*misfit);
  }
  std::vector<std::string> path;
  find_secrets(contract->schema(), read.values, path, read.secrets);
  return read;
}

}  // namespace toa::manifest
