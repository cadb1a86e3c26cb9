#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/commands.hpp"
#include "runtime/embedded.hpp"
#include "runtime/inspect.hpp"
#include "runtime/write_types.hpp"

namespace toa::cli {
namespace {

namespace fs = std::filesystem;

/// Files that may be there already: an application is often made in a fresh repository.
bool is_harmless(const fs::path& name) {
  return name == ".git" || name == ".gitignore" || name == "README.md" || name == "LICENSE";
}

Result<void> check_empty(const fs::path& folder) {
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(folder, ec)) {
    if (is_harmless(entry.path().filename())) continue;
    return fail(ErrorKind::invalid, folder.string() + " is not empty (it has " +
                                        entry.path().filename().string() +
                                        "); choose another folder");
  }
  return {};
}

Result<void> write(const fs::path& file, std::string_view content) {
  std::error_code ec;
  if (fs::exists(file, ec)) return {};
  fs::create_directories(file.parent_path(), ec);
  std::ofstream out(file, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.flush();
  if (out) return {};
  return fail(ErrorKind::unavailable, file.string() + " cannot be written");
}

/// The folder's name, made to fit what a Context may be called.
std::string application_name(const fs::path& folder) {
  std::string name;
  for (const char c : folder.filename().string()) {
    const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (kept) {
      name += c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  const bool letter = !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0;
  return letter ? name : "app" + (name.empty() ? name : "-" + name);
}

/// Whoever cannot run code yet (no Node, say) has the files all the same, and is told why at the
/// first start.
void write_types(const fs::path& folder) {
  runtime::Options options;
  options.path = folder.string();
  auto settings = runtime::settle(options);
  if (!settings) return complain("no types were written: " + settings.error().message);
  const auto application = runtime::inspect(std::move(*settings));
  if (!application) return complain("no types were written: " + application.error().message);
  if (const auto written = runtime::write_types(*application); !written)
    complain("no types were written: " + written.error().message);
}

int create(const std::string& where) {
  std::error_code nowhere;
  auto folder = fs::absolute(where, nowhere).lexically_normal();
  if (where.empty() || nowhere) {
    complain(where.empty() ? "name the folder to make the application in"
                           : "there is no current folder any more: " + nowhere.message());
    return Exit::failed;
  }
  if (!folder.has_filename()) folder = folder.parent_path();
  const auto name = application_name(folder);
  auto done = check_empty(folder);
  for (const auto& file : runtime::embedded::application_template()) {
    if (!done) break;
    std::string content(file.content);
    // The template names its application by this word.
    for (auto at = content.find("@application@"); at != std::string::npos;
         at = content.find("@application@")) {
      content.replace(at, 13, name);
    }
    done = write(folder / file.path, content);
  }
  if (!done) {
    complain(done.error().message);
    return Exit::failed;
  }
  write_types(folder);
  std::printf(
      "Created %s. Try it:\n  cd %s\n  toa start\n  toa call hello.greet \"{ input: { name: 'you' "
      "} }\"\n",
      folder.string().c_str(), where.c_str());
  return Exit::ok;
}

}  // namespace

void add_create(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("create", "Write a new application that runs at once");
  auto folder = std::make_shared<std::string>();
  command->add_option("dir", *folder, "The folder to make it in; new or empty")->required();
  command->callback([folder, &exit] { exit.code = create(*folder); });
}

}  // namespace toa::cli
