#include "cli/commands.hpp"

int main(int argc, char** argv) {
  return toa::cli::run(argc, argv, toa::runtime::Plugs::standard());
}
