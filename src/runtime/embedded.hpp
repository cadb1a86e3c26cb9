#pragma once

#include <string_view>
#include <vector>

namespace toa::runtime::embedded {

/// A file that the program carries.
struct File {
  std::string_view path;  // relative
  std::string_view content;
};

/// The Node worker, one file.
File worker();

/// The declarations of `@toa.io/core/types`.
File core_types();

/// What `toa create` writes.
const std::vector<File>& application_template();

}  // namespace toa::runtime::embedded
