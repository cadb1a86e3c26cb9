#include "runtime/dotenv.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace toa::runtime {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string_view unquoted(std::string_view value) {
  const bool quoted = value.size() >= 2 && value.front() == value.back() &&
                      (value.front() == '"' || value.front() == '\'');
  return quoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

Result<std::map<std::string, std::string>> read_dotenv(const std::string& file) {
  std::map<std::string, std::string> variables;
  std::ifstream in(file);
  if (!in) return variables;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    auto text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    if (text.starts_with("export ")) text = trimmed(text.substr(7));
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return fail(ErrorKind::invalid,
                  file + ":" + std::to_string(number) + ": expected NAME=value");
    }
    variables[std::string(trimmed(text.substr(0, equals)))] =
        unquoted(trimmed(text.substr(equals + 1)));
  }
  return variables;
}

Result<void> add_to_dotenv(const std::string& file, const std::string& name,
                           const std::string& value) {
  const auto failed = [&file] {
    return fail(ErrorKind::unavailable, file + " cannot be written: " + std::strerror(errno));
  };
  constexpr mode_t owner_only = S_IRUSR | S_IWUSR;
  const int descriptor = ::open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, owner_only);
  if (descriptor < 0) return failed();
  char last = '\n';
  const auto size = ::lseek(descriptor, 0, SEEK_END);
  if (size > 0 && ::pread(descriptor, &last, 1, size - 1) != 1) last = '\n';
  const auto line = (last == '\n' ? "" : "\n") + name + "=" + value + "\n";
  const bool written =
      ::fchmod(descriptor, owner_only) == 0 &&
      ::write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
      ::fsync(descriptor) == 0;
  auto result = written ? Result<void>{} : Result<void>(failed());
  ::close(descriptor);
  return result;
}

}  // namespace toa::runtime
