#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace toa::manifest {

/// Where the parts of a YAML value stand: as the value is nested, so is this.
struct Lines {
  /// Of the key, or of the item; from 1, and 0 where it is not known.
  int line = 0;
  /// Names of members, or none for the items of a list.
  std::vector<std::string> names;
  std::vector<Lines> parts;
  /// The file, where it is not that of what this is part of: what is inherited stands elsewhere.
  /// Shared because every part that was inherited names it.
  std::shared_ptr<const std::string> file = nullptr;

  /// Of a member; this, where there is none of that name.
  const Lines& of(std::string_view name) const;
  const Lines& of(std::size_t item) const;
};

struct Yaml {
  Json value;
  Lines lines;
};

struct YamlError {
  int line = 0;
  std::string message;
};

/// Reads one YAML document; nothing at all is `null`. Plain scalars mean what js-yaml makes of
/// them, but for 32 hex digits, which are an id and so a string. Anchors, aliases and merge keys
/// are followed within limits::yaml_…. Refused: duplicate keys, invalid UTF-8, integers beyond
/// 2^53, numbers that JSON has not, tags, several documents.
std::expected<Yaml, YamlError> read_yaml(std::string_view text);

/// A request as a person writes it, in YAML or JSON.
Result<Json> parse_yaml(std::string_view text);

}  // namespace toa::manifest
