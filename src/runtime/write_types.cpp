#include "runtime/write_types.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/embedded.hpp"
#include "typegen/type_files.hpp"

namespace toa::runtime {
namespace {

namespace fs = std::filesystem;

bool is_there(const typegen::TypeFile& file) {
  std::ifstream in(file.path, std::ios::binary);
  if (!in) return false;
  if (file.authors) return true;
  std::stringstream text;
  text << in.rdbuf();
  return text.str() == file.content;
}

/// By a file beside it, so that an editor or a compiler never sees half of one.
Result<void> write(const typegen::TypeFile& file) {
  std::error_code ec;
  fs::create_directories(fs::path(file.path).parent_path(), ec);
  const auto fresh = file.path + ".new";
  std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
  out << file.content;
  out.close();
  if (out) fs::rename(fresh, file.path, ec);
  if (out && !ec) return {};
  fs::remove(fresh, ec);
  return fail(
      ErrorKind::unavailable,
      file.path + " cannot be written; are the folder's permissions, and its space, right?");
}

/// Of a component that was not asked for.
bool is_left_alone(const typegen::TypeFile& file, const manifest::Application& application,
                   const std::vector<ComponentId>& only) {
  if (only.empty()) return false;
  return std::ranges::any_of(application.components, [&](const auto& each) {
    const auto& [id, component] = each;
    return !component.path.empty() && file.path.starts_with(component.path + "/") &&
           std::ranges::find(only, id) == only.end();
  });
}

}  // namespace

Result<std::vector<std::string>> write_types(const manifest::Application& application,
                                             const std::vector<ComponentId>& only) {
  std::vector<std::string> written;
  for (const auto& file : typegen::type_files(application, embedded::core_types().content)) {
    if (is_left_alone(file, application, only) || is_there(file)) continue;
    if (auto done = write(file); !done) return std::unexpected(done.error());
    written.push_back(file.path);
  }
  return written;
}

bool wants_types(const manifest::Application& application) {
  std::error_code ec;
  return fs::exists(fs::path(application.context.file).parent_path() / "tsconfig.json", ec);
}

}  // namespace toa::runtime
