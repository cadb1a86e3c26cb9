#include "processes.hpp"

#include <filesystem>
#include <fstream>
#include <string_view>

namespace toa::bench {
namespace {

namespace fs = std::filesystem;

/// The first line of a file; empty where the thread or process has just ended.
std::string line_of(const fs::path& file) {
  std::string line;
  std::ifstream in(file);
  std::getline(in, line);
  return line;
}

Nanoseconds run_time(const fs::path& task) {
  const auto line = line_of(task / "schedstat");
  return Nanoseconds(line.empty() ? 0 : std::stoll(line));
}

Nanoseconds run_time_of_all_threads(const fs::path& process) {
  Nanoseconds sum{};
  for (const auto& task : fs::directory_iterator(process / "task")) sum += run_time(task.path());
  return sum;
}

/// The first thread is the loop, under whatever name the program was started.
std::string name_of(const fs::path& task, pid_t process) {
  if (task.filename() == std::to_string(process)) return "loop";
  return line_of(task / "comm");
}

fs::path folder_of(pid_t process) {
  return "/proc/" + std::to_string(process);
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  for (const auto& task : fs::directory_iterator(folder_of(process) / "task")) {
    std::ifstream in(task.path() / "children");
    for (pid_t child = 0; in >> child;) children.push_back(child);
  }
  return children;
}

}  // namespace

ProcessorTime processor_time(pid_t process) {
  ProcessorTime times;
  for (const auto& task : fs::directory_iterator(folder_of(process) / "task"))
    times[name_of(task.path(), process)] += run_time(task.path());
  for (const auto child : children_of(process))
    times["workers"] += run_time_of_all_threads(folder_of(child));
  return times;
}

ProcessorTime operator-(const ProcessorTime& later, const ProcessorTime& earlier) {
  auto times = later;
  for (const auto& [name, time] : earlier) times[name] -= time;
  return times;
}

double resident_mb(pid_t process) {
  constexpr std::string_view label = "VmRSS:";
  std::ifstream in(folder_of(process) / "status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(label)) return std::stod(line.substr(label.size())) / 1024;
  }
  return 0;
}

}  // namespace toa::bench
