#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "runtime/inspect.hpp"
#include "runtime/write_types.hpp"

namespace toa::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  runtime::Options options;
  std::string environment;
  std::vector<std::string> components;
  bool quiet = false;
};

bool is_path(const std::string& name) {
  return name.contains('/') || name == "." || name == "..";
}

/// The component that a name or the path of its folder means (R173).
std::optional<ComponentId> meant(const manifest::Application& application,
                                 const std::string& name) {
  if (!is_path(name)) {
    ComponentId id(name.contains('.') ? name : "default." + name);
    return application.find(id) != nullptr ? std::optional(std::move(id)) : std::nullopt;
  }
  std::error_code unreadable;
  for (const auto& [id, component] : application.components)
    if (!component.path.empty() && fs::equivalent(component.path, name, unreadable)) return id;
  return std::nullopt;
}

/// Who names a component by its path may stand outside of the application.
runtime::Options looking_from(runtime::Options options,
                              const std::vector<std::string>& components) {
  const bool outside = options.path.empty() && !components.empty() && is_path(components.front());
  if (outside) options.path = components.front();
  return options;
}

int write(const Arguments& arguments) {
  auto settings = runtime::settle(looking_from(arguments.options, arguments.components));
  if (!settings) {
    complain(settings.error().message);
    return Exit::failed;
  }
  if (!arguments.environment.empty()) settings->environment = arguments.environment;
  const auto application = runtime::inspect(std::move(*settings));
  if (!application) {
    complain(application.error().message);
    return Exit::failed;
  }
  std::vector<ComponentId> only;
  for (const auto& name : arguments.components) {
    const auto id = meant(*application, name);
    if (!id) {
      complain("the application has no component '" + name + "'");
      return Exit::failed;
    }
    only.push_back(*id);
  }
  const auto written = runtime::write_types(*application, only);
  if (!written) {
    complain(written.error().message);
    return Exit::failed;
  }
  if (arguments.quiet) return Exit::ok;
  for (const auto& file : *written) std::printf("%s\n", file.c_str());
  if (written->empty()) std::puts("The types are up to date.");
  return Exit::ok;
}

}  // namespace

void add_types(CLI::App& app, Exit& exit) {
  auto* command =
      app.add_subcommand("types", "Write the TypeScript types of what the manifests say");
  auto arguments = std::make_shared<Arguments>();
  add_common_options(*command, arguments->options);
  command->add_option("-e,--environment", arguments->environment,
                      "The environment whose values count (default: TOA_ENV, then local)");
  command->add_option(
      "-c,--components", arguments->components,
      "Only the types of these components, by name or by the path of the folder, and "
      "the application's");
  command->add_flag("-q,--quiet", arguments->quiet, "Do not list the files written");
  command->callback([arguments, &exit] { exit.code = write(*arguments); });
}

}  // namespace toa::cli
