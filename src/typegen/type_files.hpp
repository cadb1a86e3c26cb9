#pragma once

#include <string>
#include <vector>

#include "manifest/application.hpp"

namespace toa::typegen {

struct TypeFile {
  std::string path;  // absolute
  std::string content;
  /// Written where it is missing and never touched again: it is the author's from then on (R172).
  bool authors = false;
};

/// Every file of types of an application. `core` is the text of `core.d.ts`.
std::vector<TypeFile> type_files(const manifest::Application& application, std::string_view core);

}  // namespace toa::typegen
