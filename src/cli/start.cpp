#include <CLI/CLI.hpp>
#include <memory>

#include "cli/background.hpp"
#include "cli/commands.hpp"

namespace toa::cli {

void add_start(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("start", "Run the application in the background");
  auto options = std::make_shared<runtime::Options>();
  add_common_options(*command, *options);
  add_http_options(*command, *options);
  command->callback([options, &exit] { exit.code = start_in_background(*options); });
}

}  // namespace toa::cli
