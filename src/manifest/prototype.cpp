#include "manifest/prototype.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "manifest/file.hpp"
#include "manifest/section.hpp"

namespace toa::manifest {
namespace {

namespace fs = std::filesystem;

using File = std::shared_ptr<const std::string>;

constexpr std::array<std::string_view, 8> own_keys{"name",      "namespace", "version", "prototype",
                                                   "receivers", "files",     "ignore",  "build"};

/// One map of a manifest beneath another: the values side by side with their lines.
struct Upper {
  Json& value;
  Lines& lines;

  Upper of(std::string_view name) const {
    const auto at = std::ranges::find(lines.names, name);
    require(at != lines.names.end(), "a member of a map has no line");
    return {value.as_object().at(name),
            lines.parts[static_cast<std::size_t>(at - lines.names.begin())]};
  }
};

struct Lower {
  const Json& value;
  const Lines& lines;
  const File& file;
};

bool both_maps(const Upper& upper, const Lower& lower) {
  return upper.value.is_object() && lower.value.is_object();
}

void add(const Upper& upper, std::string_view name, const Lower& lower) {
  upper.value.as_object()[name] = lower.value;
  upper.lines.names.emplace_back(name);
  upper.lines.parts.push_back(lower.lines);
  if (!upper.lines.parts.back().file) upper.lines.parts.back().file = lower.file;
}

/// Adds the members that `upper` lacks; what becomes of those that both have, `meet` says.
template <class Meet>
void lay(const Upper& upper, const Lower& lower, Meet meet) {
  if (!both_maps(upper, lower)) return;
  for (const auto& [name, value] : lower.value.get_object()) {
    const Lower member{value, lower.lines.of(name), lower.file};
    if (!upper.value.get_object().contains(name)) {
      add(upper, name, member);
    } else {
      meet(std::string_view(name), upper.of(name), member);
    }
  }
}

void keep(std::string_view, const Upper&, const Lower&) {}

/// Adds the items that `upper` lacks.
void unite(const Upper& upper, const Lower& lower) {
  if (!upper.value.is_array() || !lower.value.is_array()) return;
  auto& items = upper.value.get_array();
  for (std::size_t i = 0; i < lower.value.get_array().size(); ++i) {
    const auto& item = lower.value.get_array()[i];
    if (std::ranges::find(items, item) != items.end()) continue;
    items.push_back(item);
    upper.lines.parts.push_back(lower.lines.of(i));
    if (!upper.lines.parts.back().file) upper.lines.parts.back().file = lower.file;
  }
}

void lay_entity(const Upper& upper, const Lower& lower) {
  lay(upper, lower, [](std::string_view name, const Upper& mine, const Lower& theirs) {
    if (name == "required") return unite(mine, theirs);
    if (name == "properties" || name == "blank") lay(mine, theirs, keep);
  });
}

void lay_operation(std::string_view, const Upper& upper, const Lower& lower) {
  if (upper.value.is_null()) {
    upper.value = lower.value;
    upper.lines = lower.lines;
    if (!upper.lines.file) upper.lines.file = lower.file;
    return;
  }
  lay(upper, lower, [](std::string_view name, const Upper& mine, const Lower& theirs) {
    if (name == "errors") unite(mine, theirs);
  });
}

void lay_deeply(std::string_view, const Upper& upper, const Lower& lower) {
  lay(upper, lower, lay_deeply);
}

void lay_manifest(const Upper& upper, const Lower& lower) {
  lay(upper, lower, [](std::string_view name, const Upper& mine, const Lower& theirs) {
    if (name == "entity") return lay_entity(mine, theirs);
    if (name == "operations" && mine.value.is_null()) return lay_operation(name, mine, theirs);
    if (name == "operations") return lay(mine, theirs, lay_operation);
    if (name == "configuration") lay_deeply(name, mine, theirs);
  });
}

void drop_own_keys(Yaml& prototype) {
  for (const auto name : own_keys) {
    prototype.value.get_object().erase(name);
    const auto at = std::ranges::find(prototype.lines.names, name);
    if (at == prototype.lines.names.end()) continue;
    prototype.lines.parts.erase(prototype.lines.parts.begin() +
                                (at - prototype.lines.names.begin()));
    prototype.lines.names.erase(at);
  }
}

/// Follows the chain upwards. (1) `chain_` holds the real folders from the component to the one
/// that is read, so that none is read twice.
class Chain {
 public:
  explicit Chain(std::vector<Problem>& problems) : problems_(problems) {}

  Inheriting follow(const std::string& folder, Yaml own) {
    chain_.push_back(real(folder));
    Inheriting out{.manifest = std::move(own), .prototypes = {}, .generic = true};
    const Section manifest(manifest_file(folder), out.manifest, problems_);
    const auto declared = manifest.find("prototype");
    if (!declared) return out;
    if (declared->value().is_null()) {
      out.generic = false;
      return out;
    }
    const auto path = path_of(*declared, folder);
    auto beneath = path ? load(*declared, *path) : std::nullopt;
    if (!beneath) return out;
    auto inherited = follow(*path, *std::move(beneath));
    drop_own_keys(inherited.manifest);
    const auto file = std::make_shared<const std::string>(manifest_file(*path));
    lay_manifest({out.manifest.value, out.manifest.lines},
                 {inherited.manifest.value, inherited.manifest.lines, file});
    out.prototypes = std::move(inherited.prototypes);
    out.prototypes.insert(out.prototypes.begin(), *path);
    out.generic = inherited.generic;
    return out;
  }

 private:
  static std::string real(const std::string& folder) {
    std::error_code error;
    const auto found = fs::canonical(folder, error);
    return error ? folder : found.string();
  }

  std::optional<std::string> path_of(const Section& declared, const std::string& folder) {
    const auto* text = declared.value().if_string();
    if (text == nullptr || text->empty()) {
      declared.report("must be null, or the path of a component's folder");
      return std::nullopt;
    }
    auto path = (fs::path(folder) / std::string(*text)).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    if (std::ranges::find(chain_, real(path.string())) != chain_.end()) {
      declared.report(fmt::format("inherits from itself: {} -> {}", fmt::join(chain_, " -> "),
                                  real(path.string())));
      return std::nullopt;
    }
    if (chain_.size() > limits::prototypes_max) {
      declared.report(
          fmt::format("is one of more than {} prototypes in a row", limits::prototypes_max));
      return std::nullopt;
    }
    return path.string();
  }

  std::optional<Yaml> load(const Section& declared, const std::string& path) {
    const auto file = manifest_file(path);
    std::error_code error;
    if (!fs::exists(file, error)) {
      declared.report(fmt::format("there is no component in '{}': {} is missing", path, file));
      return std::nullopt;
    }
    auto yaml = load_yaml(file, problems_);
    if (yaml && yaml->value.is_null()) yaml->value = JsonObject{};
    if (!yaml || !Section(file, *yaml, problems_).must_be_object()) return std::nullopt;
    return yaml;
  }

  std::vector<Problem>& problems_;
  std::vector<std::string> chain_;
};

}  // namespace

std::string manifest_file(const std::string& folder) {
  return (fs::path(folder) / "manifest.toa.yaml").string();
}

Inheriting with_prototypes(const std::string& folder, Yaml own, std::vector<Problem>& problems) {
  return Chain(problems).follow(folder, std::move(own));
}

}  // namespace toa::manifest
