#include "manifest/exposition_reader.hpp"

#include <array>

#include "manifest/environment.hpp"

namespace toa::manifest {
namespace {

constexpr const char* short_name = "exposition";
constexpr const char* long_name = "@toa.io/extensions.exposition";
constexpr std::array long_places{"extensions", "annotations"};

std::optional<Section> find_exposition(const Section& owner) {
  auto found = owner.find(short_name);
  for (const auto* place : long_places) {
    const auto extensions = owner.find(place);
    const auto other = extensions ? extensions->find(long_name) : std::nullopt;
    if (other && found) other->report("is there twice: it is the same as 'exposition'");
    if (other && !found) found = other;
  }
  return found;
}

}  // namespace

std::optional<Written> read_exposition(const Section& owner, std::string_view environment) {
  const auto found = find_exposition(owner);
  if (!found || !found->must_be_object()) return std::nullopt;
  auto yaml = for_environment({found->value(), found->lines()}, environment);
  Written written{owner.file(), short_name, {}};
  written.yaml.lines = {found->line(), {short_name}, {std::move(yaml.lines)}};
  written.yaml.value = JsonObject{{short_name, std::move(yaml.value)}};
  return written;
}

}  // namespace toa::manifest
