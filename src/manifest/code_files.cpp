#include "manifest/code_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace toa::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> code_extensions{".cjs", ".cts", ".js",
                                                          ".mjs", ".mts", ".ts"};

bool is_code(const fs::path& path) {
  const auto name = path.filename().string();
  const bool types_only = path.stem().extension() == ".d";
  return !name.starts_with('.') && !types_only &&
         std::ranges::find(code_extensions, path.extension().string()) != code_extensions.end();
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// `a and b`, `a, b and c`.
std::string listed(const std::vector<std::string>& names) {
  const auto all_but_last = std::vector(names.begin(), names.end() - 1);
  return fmt::format("{} and {}", fmt::join(all_but_last, ", "), names.back());
}

}  // namespace

bool is_operation_name(std::string_view name) {
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

std::map<std::string, std::string> code_files(const std::string& component, const CodeFolder& of,
                                              std::vector<Problem>& problems) {
  const auto folder = fs::path(component) / of.name;
  std::map<std::string, std::vector<std::string>> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code unreadable;
    if (is_code(at->path()) && at->is_regular_file(unreadable)) {
      found[at->path().stem().string()].push_back(at->path().filename().string());
    }
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    problems.push_back({folder.string(), 0, "", "cannot be read: " + error.message()});
  }
  std::map<std::string, std::string> files;
  for (auto& [name, names] : found) {
    std::ranges::sort(names);
    files.emplace(name, (folder / names.front()).string());
    if (!of.misnomer.empty() && !is_operation_name(name)) {
      problems.push_back({files.at(name), 0, "", std::string(of.misnomer)});
    } else if (names.size() > 1) {
      problems.push_back({files.at(name), 0, "",
                          fmt::format("Component at '{}' has more than one {}/{}: {}", component,
                                      of.name, name, listed(names))});
    }
  }
  return files;
}

std::map<std::string, std::string> code_files(const std::vector<std::string>& folders,
                                              const CodeFolder& of,
                                              std::vector<Problem>& problems) {
  std::map<std::string, std::string> files;
  for (const auto& folder : folders) files.merge(code_files(folder, of, problems));
  return files;
}

}  // namespace toa::manifest
