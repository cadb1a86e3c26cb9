#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "runtime/inspect.hpp"
#include "runtime/write_types.hpp"

namespace toa::cli {
namespace {

struct Arguments {
  runtime::Options options;
  std::string environment;
  std::vector<std::string> components;
  bool quiet = false;
};

int write(const Arguments& arguments) {
  auto settings = runtime::settle(arguments.options);
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
    only.emplace_back(name.contains('.') ? name : "default." + name);
    if (application->find(only.back()) != nullptr) continue;
    complain("the application has no component '" + name + "'");
    return Exit::failed;
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
  command->add_option("-c,--components", arguments->components,
                      "Only the types of these components, and the application's");
  command->add_flag("-q,--quiet", arguments->quiet, "Do not list the files written");
  command->callback([arguments, &exit] { exit.code = write(*arguments); });
}

}  // namespace toa::cli
