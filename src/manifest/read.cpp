#include "manifest/read.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "manifest/component_reader.hpp"
#include "manifest/context_reader.hpp"
#include "manifest/environment.hpp"
#include "manifest/exposition_reader.hpp"
#include "manifest/file.hpp"
#include "manifest/identity_reader.hpp"

namespace toa::manifest {
namespace {

namespace fs = std::filesystem;

constexpr const char* context_name = "context.toa.yaml";

std::vector<std::string> component_folders(const fs::path& root, std::vector<Problem>& problems) {
  std::vector<std::string> folders;
  std::error_code error;
  for (fs::directory_iterator at(root, error), end; !error && at != end; at.increment(error)) {
    const auto name = at->path().filename().string();
    std::error_code unreadable;
    const bool component = !name.starts_with('.') && name != "node_modules";
    if (component && at->is_directory(unreadable)) folders.push_back(at->path().string());
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    problems.push_back({root.string(), 0, "", "cannot be read: " + error.message()});
  }
  std::ranges::sort(folders);
  return folders;
}

void read_components(Draft& draft, std::optional<Section> stated, const Variables& variables) {
  const auto root = fs::path(draft.application.context.file).parent_path() / "components";
  if (stated && !stated->must_be_object()) stated.reset();
  ComponentReader reader(draft, stated, variables);
  const auto folders = component_folders(root, draft.problems);
  for (const auto& folder : folders) reader.read(folder);
  reader.refuse_unwanted_configuration();
  if (folders.empty()) {
    draft.application.warnings.push_back(fmt::format("{}: there is no component", root.string()));
  }
}

}  // namespace

Result<std::string> find_context(const std::string& from) {
  std::error_code error;
  const auto start = fs::absolute(from, error).lexically_normal();
  if (fs::is_regular_file(start, error)) return start.string();
  // Searching upwards from what does not exist would open another application.
  if (!fs::exists(start, error)) {
    return fail(ErrorKind::invalid,
                fmt::format("there is no {}: name the folder of an application, or its {}",
                            start.string(), context_name));
  }
  for (auto folder = start;; folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / context_name, error)) return (folder / context_name).string();
    if (folder == folder.parent_path()) break;
  }
  return fail(
      ErrorKind::invalid,
      fmt::format("no {} in {} or in any folder above it: run this inside an application, or name "
                  "its folder with --path",
                  context_name, start.string()));
}

Draft read(const std::string& context_file, const std::string& environment,
           const Variables& variables) {
  Draft draft;
  const auto file = fs::absolute(context_file).lexically_normal().string();
  auto written = load_yaml(file, draft.problems);
  if (!written) written = Yaml{JsonObject{}, {}};
  if (written->value.is_null()) written->value = JsonObject{};
  const bool readable = draft.problems.empty();
  refuse_unknown_parts(Section(file, *written, draft.problems));

  const auto resolved = for_environment(*written, environment);
  const Section context(file, resolved, draft.problems);
  if (readable && context.must_be_object()) {
    draft.application.context = read_context(context, variables, draft.application.warnings);
    draft.application.context.exposition = read_exposition(context, environment);
    draft.application.context.identity = read_identity(context.find("configuration"));
  }
  draft.application.context.file = file;
  draft.application.context.environment = environment;
  read_components(draft, context.find("configuration"), variables);
  read_announced(context, draft.application);
  return draft;
}

}  // namespace toa::manifest
