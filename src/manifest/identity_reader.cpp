#include "manifest/identity_reader.hpp"

#include <fmt/format.h>

namespace toa::manifest {
namespace {

constexpr std::string_view space = "identity";
constexpr std::string_view prefix = "identity.";

Written write(const Section& part, const std::string& name) {
  const auto key = std::string(prefix) + name;
  Written written{part.file(), key, {}};
  written.yaml.lines = {part.line(), {key}, {part.lines()}};
  written.yaml.value = JsonObject{{key, part.value()}};
  return written;
}

void add(std::map<std::string, Written>& read, const Section& part, const std::string& name) {
  if (name != "tokens" && name != "basic") {
    part.report(fmt::format("identity.{} is not supported by this release", name));
  } else if (read.contains(name)) {
    part.report(fmt::format("identity.{} is there twice", name));
  } else if (part.must_be_object()) {
    read.emplace(name, write(part, name));
  }
}

}  // namespace

bool is_of_identity(std::string_view key) {
  return key == space || key.starts_with(prefix);
}

std::map<std::string, Written> read_identity(const std::optional<Section>& configuration) {
  std::map<std::string, Written> read;
  for (const auto& part : configuration ? configuration->parts() : std::vector<Section>{}) {
    if (part.name().starts_with(prefix)) add(read, part, part.name().substr(prefix.size()));
    if (part.name() != space || !part.must_be_object()) continue;
    for (const auto& inner : part.parts()) add(read, inner, inner.name());
  }
  return read;
}

}  // namespace toa::manifest
