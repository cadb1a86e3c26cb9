#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "manifest/print_yaml.hpp"
#include "runtime/inspect.hpp"

namespace toa::cli {
namespace {

struct Arguments {
  runtime::Options options;
  std::vector<std::string> components;
  std::string format = "yaml";
  bool errors_only = false;
};

int print_manifests(const Arguments& arguments) {
  auto settings = runtime::settle(arguments.options);
  if (!settings) {
    complain(settings.error().message);
    return Exit::failed;
  }
  const auto application = runtime::inspect(std::move(*settings));
  if (!application) {
    complain(application.error().message);
    return Exit::failed;
  }
  for (const auto& wanted : arguments.components) {
    const auto id = wanted.contains('.') ? wanted : "default." + wanted;
    if (application->find(ComponentId(id)) == nullptr) {
      complain("the application has no component '" + wanted + "'");
      return Exit::failed;
    }
  }
  if (arguments.errors_only) return Exit::ok;

  JsonObject manifests;
  for (const auto& [id, component] : application->components) {
    if (component.is_own()) continue;
    const bool wanted =
        arguments.components.empty() ||
        std::ranges::any_of(arguments.components, [&component, &id](const std::string& name) {
          return name == id.value || (!component.space && name == component.name);
        });
    if (wanted) manifests.emplace(id.value, manifest::normalised(component));
  }
  const Json printed = manifests.size() == 1 ? manifests.begin()->value() : Json(manifests);
  std::puts(
      (arguments.format == "json" ? json::print(printed) : manifest::print_yaml(printed)).c_str());
  return Exit::ok;
}

}  // namespace

void add_export_manifest(CLI::App& exporting, Exit& exit) {
  auto* command = exporting.add_subcommand("manifest", "The manifests with everything filled in");
  command->alias("man");
  auto arguments = std::make_shared<Arguments>();
  add_common_options(*command, arguments->options);
  command->add_option("components", arguments->components, "Only these components");
  command->add_option("-o,--output", arguments->format, "yaml (default) or json")
      ->check(CLI::IsMember({"yaml", "json"}));
  command->add_flag("-e,--error", arguments->errors_only,
                    "Print nothing unless something is wrong");
  command->callback([arguments, &exit] { exit.code = print_manifests(*arguments); });
}

}  // namespace toa::cli
