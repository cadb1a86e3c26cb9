#include "typegen/head.hpp"

#include <fmt/format.h>

namespace toa::typegen {

std::string head(const std::string& core) {
  return fmt::format(
      "// Written by `toa types` from the manifests, anew each time: changes made here are lost.\n"
      "/// <reference path=\"{}\" />\n"
      "import type {{\n"
      "  BaseContext, Call, CodedError, ManyQuery, ManyReadingQuery, OpenCall, Part, Query, "
      "ReadingQuery,\n"
      "  ReadingStreamQuery, Secret, Stash, StreamQuery, System, Transient\n"
      "}} from '@toa.io/core/types'\n",
      core);
}

}  // namespace toa::typegen
