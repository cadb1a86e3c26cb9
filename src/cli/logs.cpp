#include <CLI/CLI.hpp>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sys/inotify.h>
#include <unistd.h>

#include "cli/background.hpp"
#include "cli/commands.hpp"

namespace toa::cli {
namespace {

struct Arguments {
  runtime::Options options;
  std::size_t lines = 100;
  bool follow = false;
};

/// Prints the last lines and answers where the file ended.
std::streamoff print_tail(std::ifstream& in, std::size_t lines) {
  std::deque<std::string> last;
  std::string line;
  std::streamoff end = 0;
  while (std::getline(in, line)) {
    if (in.eof()) break;  // a line still being written
    end = in.tellg();
    last.push_back(std::move(line));
    if (last.size() > lines) last.pop_front();
  }
  for (const auto& text : last) std::puts(text.c_str());
  return end;
}

std::streamoff print_from(const std::string& file, std::streamoff from) {
  std::error_code ec;
  const auto size = std::filesystem::file_size(file, ec);
  // The log was rotated: what is there now is another file.
  if (!ec && static_cast<std::streamoff>(size) < from) from = 0;
  std::ifstream in(file);
  in.seekg(from);
  return std::max(from, print_tail(in, SIZE_MAX));
}

int follow(const std::string& file, std::streamoff from) {
  const int notify = ::inotify_init1(IN_CLOEXEC);
  const auto folder = std::filesystem::path(file).parent_path().string();
  if (notify < 0 ||
      ::inotify_add_watch(notify, folder.c_str(), IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0) {
    complain("the log cannot be followed: " + folder + " cannot be watched");
    return Exit::failed;
  }
  alignas(inotify_event) char events[16 << 10];
  do {
    from = print_from(file, from);
    std::fflush(stdout);
  } while (::read(notify, events, sizeof events) > 0);
  return Exit::ok;
}

int print_logs(const Arguments& arguments) {
  const auto settings = runtime::settle(arguments.options);
  if (!settings) {
    complain(settings.error().message);
    return Exit::failed;
  }
  const auto file = background_log(*settings);
  std::ifstream in(file);
  if (!in) {
    complain("there is no log at " + file + "; `toa start` writes one");
    return Exit::failed;
  }
  const auto end = print_tail(in, arguments.lines);
  return arguments.follow ? follow(file, end) : Exit::ok;
}

}  // namespace

void add_logs(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("logs", "Print the log of the application in the background");
  auto arguments = std::make_shared<Arguments>();
  add_common_options(*command, arguments->options);
  command->add_option("-n,--lines", arguments->lines, "How many lines from the end (default 100)");
  command->add_flag("-f,--follow", arguments->follow, "Go on printing what is added");
  command->callback([arguments, &exit] { exit.code = print_logs(*arguments); });
}

}  // namespace toa::cli
