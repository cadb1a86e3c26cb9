#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"

namespace toa::gateway {

/// What a custom token is limited to: paths, as globs, and the methods that each may be asked with
/// (G192). `*` stands for anything within a segment, `**` for anything.
class Permissions {
 public:
  /// A map of globs to lists of methods, or `*` for all; nothing where it is something else.
  static std::optional<Permissions> read(const Json& value);

  bool allow(std::string_view method, std::string_view path) const;
  const Json& written() const { return written_; }

 private:
  /// No methods: all of them.
  std::vector<std::pair<std::string, std::vector<std::string>>> rules_;
  Json written_;
};

/// Whether a path is one of those that the glob means.
bool fits_glob(std::string_view glob, std::string_view path);

}  // namespace toa::gateway
