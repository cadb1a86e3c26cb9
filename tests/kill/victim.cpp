#include <cstdlib>

#include "cli/commands.hpp"
#include "kill/victim_plugs.hpp"

/// The program, over the storage that KILL_STORAGE names.
int main(int argc, char** argv) {
  const toa::lossy::Vfs disk("lossy");
  const char* name = std::getenv("KILL_STORAGE");
  const auto plugs = toa::kill::plugs_of(name == nullptr ? "standard" : name, disk);
  if (!plugs) {
    toa::cli::complain(plugs.error().message);
    return toa::cli::Exit::failed;
  }
  return toa::cli::run(argc, argv, *plugs);
}
