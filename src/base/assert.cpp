#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace toa {

void broken_invariant(std::string_view what, std::source_location where) {
  std::fprintf(
      stderr,
      "toa: internal fault: %.*s (%s:%u)\n"
      "This is a bug of Toa, not of your application. Nothing acknowledged is lost: start again.\n"
      "Please report it with this message, the output of `toa --version` and the log.\n",
      static_cast<int>(what.size()), what.data(), where.file_name(), where.line());
  std::abort();
}

}  // namespace toa
