#include "cli/terminal.hpp"

#include <cstdio>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace toa::cli {

LiteralStyle style_of(int descriptor) {
  if (::isatty(descriptor) == 0) return {};
  winsize window{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  return {Colours::yes, known ? window.ws_col : std::size_t{100}};
}

bool can_ask() {
  return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
}

bool ask(const std::string& question) {
  std::fprintf(stderr, "%s [y/N] ", question.c_str());
  std::string line;
  std::getline(std::cin, line);
  return line.starts_with('y') || line.starts_with('Y');
}

}  // namespace toa::cli
