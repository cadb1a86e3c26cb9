#include "typegen/type_files.hpp"

#include <filesystem>
#include <fmt/format.h>

#include "typegen/component_types.hpp"

namespace toa::typegen {
namespace {

namespace fs = std::filesystem;

constexpr auto index = "export type * from './toa.d.ts'\n";

/// Each folder of types is a package (R177).
std::string package(const std::string& name) {
  return fmt::format(
      "{{\n  \"name\": \"{}\",\n  \"private\": true,\n  \"types\": \"index.d.ts\"\n}}\n", name);
}

void add(std::vector<TypeFile>& files, const fs::path& folder, const std::string& name,
         std::string types) {
  files.push_back({(folder / "toa.d.ts").string(), std::move(types)});
  files.push_back({(folder / "index.d.ts").string(), index, true});
  files.push_back({(folder / "package.json").string(), package(name), true});
}

}  // namespace

std::vector<TypeFile> type_files(const manifest::Application& application, std::string_view core) {
  const auto root = fs::path(application.context.file).parent_path();
  std::vector<TypeFile> files{{(root / "types" / "core.d.ts").string(), std::string(core)}};
  for (const auto& [id, component] : application.components) {
    if (component.is_own()) continue;
    const auto folder = fs::path(component.path) / "types";
    const auto way = root.lexically_relative(folder).string() + "/";
    add(files, folder, "@components/" + fs::path(component.path).filename().string(),
        component_types(component, way));
  }
  add(files, root / "types", application.context.name, application_types(application));
  return files;
}

}  // namespace toa::typegen
