#include <filesystem>
#include <fmt/format.h>
#include <map>

#include "typegen/comment.hpp"
#include "typegen/component_types.hpp"
#include "typegen/head.hpp"
#include "typegen/names.hpp"
#include "typegen/schema_type.hpp"
#include "typegen/signature.hpp"

namespace toa::typegen {
namespace {

namespace fs = std::filesystem;
using manifest::Application;
using manifest::Component;

std::string import_of(const Application& application, const Component& component) {
  const auto types = fs::path(application.context.file).parent_path() / "types";
  const auto file = (fs::path(component.path) / "types" / "toa.d.ts").lexically_relative(types);
  return fmt::format("import type * as {} from '{}'\n", module_alias(component), file.string());
}

std::string calls(const Component& component, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string out = fmt::format("{}{}: {{\n", margin, property_name(component.name));
  for (const auto& [name, operation] : component.operations) {
    out += comment(operation.description, indent + 2);
    out += fmt::format("{}  {}: {}\n", margin, property_name(name),
                       signature(component, operation, module_alias(component) + "."));
  }
  return out + margin + "}\n";
}

std::string spaces(const Application& application) {
  std::map<std::string, std::string> members;
  std::string out;
  for (const auto& [id, component] : application.components) {
    if (component.is_own()) continue;
    if (component.space) {
      members[*component.space] += calls(component, 4);
    } else {
      out += calls(component, 2);
    }
  }
  for (const auto& [space, inner] : members)
    out += fmt::format("  {}: {{\n{}  }}\n", property_name(space), inner);
  return out;
}

}  // namespace

std::string application_types(const Application& application) {
  std::string out = head("core.d.ts");
  for (const auto& [id, component] : application.components) {
    if (!component.is_own()) out += import_of(application, component);
  }
  return out + "\n/** The operations of every component. */\nexport interface Remote {\n" +
         spaces(application) + "}\n";
}

}  // namespace toa::typegen
