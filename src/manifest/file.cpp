#include "manifest/file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/limits.hpp"

namespace toa::manifest {

std::optional<Yaml> load_yaml(const std::string& file, std::vector<Problem>& problems) {
  std::ifstream stream(file, std::ios::binary);
  // One byte beyond the limit is enough for it to be refused.
  std::string text(limits::manifest_bytes_max + 1, '\0');
  if (stream) stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad()) {
    problems.push_back({file, 0, "", std::string("cannot be read: ") + std::strerror(errno)});
    return std::nullopt;
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  auto yaml = read_yaml(text);
  if (yaml) return *std::move(yaml);
  problems.push_back({file, yaml.error().line, "", std::move(yaml.error().message)});
  return std::nullopt;
}

}  // namespace toa::manifest
