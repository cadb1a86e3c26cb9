#include <CLI/CLI.hpp>
#include <memory>

#include "cli/background.hpp"
#include "cli/commands.hpp"

namespace toa::cli {

void add_stop(CLI::App& app, Exit& exit) {
  auto* command =
      app.add_subcommand("stop", "Stop the application; work in progress finishes (45 s at most)");
  auto options = std::make_shared<runtime::Options>();
  add_common_options(*command, *options);
  command->callback([options, &exit] { exit.code = stop_in_background(*options); });
}

}  // namespace toa::cli
