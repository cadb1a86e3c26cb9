#include "kill/fault_places.hpp"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace toa::kill {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

std::set<std::string> fault_places(const std::string& folder) {
  static const std::regex reached(R"re(reach\("([^"]+)"\))re");
  std::set<std::string> places;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto& file = entry.path();
    if (file.extension() != ".cpp" || file.string().ends_with("_test.cpp")) continue;
    const auto text = text_of(file);
    for (std::sregex_iterator it(text.begin(), text.end(), reached), end; it != end; ++it) {
      // Reached before anything is served, once in a data folder: a drill of its own.
      if (const auto place = (*it)[1].str(); !place.starts_with("migration.")) places.insert(place);
    }
  }
  return places;
}

}  // namespace toa::kill
