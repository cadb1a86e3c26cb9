#include "stage.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include "failed.hpp"

namespace toa::scenarios {
namespace {

namespace fs = std::filesystem;

fs::path make_folder() {
  auto pattern = (fs::temp_directory_path() / "toa-scenario-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw Failed{"no temporary folder can be made"};
  return fs::canonical(pattern);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

}  // namespace

Stage::Stage(const Site& site, const Scenario& scenario)
    : site_(site),
      environment_(scenario.environment),
      folder_(make_folder()),
      application_(folder_ / "app"),
      data_(folder_ / "data") {
  fs::create_directories(application_);
  if (!scenario.application.empty()) {
    const auto from = site.applications / scenario.application;
    if (!fs::is_directory(from)) throw Failed{"there is no application at " + from.string()};
    fs::copy(from, application_, fs::copy_options::recursive);
  }
  write(scenario.files);
}

Stage::~Stage() {
  end_children();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Stage::write(const JsonObject& files) const {
  for (const auto& [path, content] : files) {
    const auto file = application_ / std::string(path);
    fs::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << std::string_view(content.as_string());
    if (!out.flush()) throw Failed{file.string() + " cannot be written"};
  }
}

std::vector<std::string> Stage::environment(const JsonObject& more) const {
  const auto* path = std::getenv("PATH");
  const auto* home = std::getenv("HOME");
  std::map<std::string, std::string> variables{
      {"PATH", site_.program.parent_path().string() + ":" + (path == nullptr ? "" : path)},
      {"HOME", home == nullptr ? "/" : home},
      {"TOA_DATA", data_.string()},
      // Scenarios run beside each other.
      {"TOA_PORT", "0"},
      {"TOA_READY_PORT", "0"}};
  for (const auto& [name, value] : environment_) variables[name] = value.as_string();
  for (const auto& [name, value] : more) variables[name] = value.as_string();
  std::vector<std::string> lines;
  for (const auto& [name, value] : variables) lines.push_back(name + "=" + value);
  return lines;
}

pid_t Stage::run(std::vector<std::string> arguments, const JsonObject& more,
                 const std::string& name, int passed) const {
  return spawn({std::move(arguments), environment(more), application_.string(),
                (folder_ / (name + ".out")).string(), (folder_ / (name + ".err")).string(),
                passed});
}

pid_t Stage::program(std::vector<std::string> arguments, const JsonObject& more,
                     const std::string& name, int passed) const {
  arguments.insert(arguments.begin(), site_.program.string());
  return run(std::move(arguments), more, name, passed);
}

pid_t Stage::shell(const std::string& command, const std::string& name) const {
  return run({"/bin/sh", "-c", command}, {}, name, -1);
}

std::string Stage::read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string Stage::text(const fs::path& file) const {
  auto text = replaced(read(file), application_.string() + "/", "");
  text = replaced(std::move(text), application_.string(), "app");
  return replaced(std::move(text), data_.string(), "data");
}

}  // namespace toa::scenarios
