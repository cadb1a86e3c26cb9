#include <CLI/CLI.hpp>

#include "cli/commands.hpp"

namespace toa::cli {

void add_export(CLI::App& app, Exit& exit, const runtime::Plugs& plugs) {
  auto* exporting =
      app.add_subcommand("export", "Print what the application is made of, or what it remembers");
  exporting->require_subcommand(1);
  add_export_manifest(*exporting, exit);
  add_export_inbox(*exporting, exit, plugs);
}

}  // namespace toa::cli
