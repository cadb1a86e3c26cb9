#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/commands.hpp"
#include "runtime/token_key.hpp"

namespace toa::cli {
namespace {

int print_key() {
  const auto key = runtime::new_token_key();
  if (!key) {
    complain(key.error().message);
    return Exit::failed;
  }
  std::puts(key->c_str());
  return Exit::ok;
}

}  // namespace

void add_key(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("key", "Print a new key to seal tokens with");
  command->callback([&exit] { exit.code = print_key(); });
}

}  // namespace toa::cli
