#include "cli/background.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "base/limits.hpp"
#include "cli/commands.hpp"
#include "runtime/control_client.hpp"
#include "runtime/control_path.hpp"
#include "runtime/holding.hpp"

namespace toa::cli {
namespace {

using runtime::ControlClient;

constexpr int ready_descriptor = 3;

std::string stderr_file(const runtime::Settings& settings) {
  return settings.data + "/stderr.log";
}

std::vector<std::string> arguments_of(const runtime::Settings& settings,
                                      const runtime::Options& options) {
  std::vector<std::string> arguments = {"toa",          "mono",
                                        "--path",       settings.context_file,
                                        "--data",       settings.data,
                                        "--log-file",   background_log(settings),
                                        "--workers",    std::to_string(settings.workers),
                                        "--host",       settings.http.host,
                                        "--port",       std::to_string(settings.http.port),
                                        "--ready-port", std::to_string(settings.http.ready_port),
                                        "--ready-fd",   std::to_string(ready_descriptor)};
  if (!options.log_level.empty()) {
    arguments.emplace_back("--log");
    arguments.push_back(options.log_level);
  }
  return arguments;
}

/// Starts this program again, in a session of its own, with nothing of ours but the descriptor to
/// report on.
Result<pid_t> spawn(const runtime::Settings& settings, const runtime::Options& options,
                    int report) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  const auto errors = stderr_file(settings);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, report, ready_descriptor);
  posix_spawn_file_actions_addclosefrom_np(&files, ready_descriptor + 1);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);

  auto arguments = arguments_of(settings, options);
  std::vector<char*> raw;
  for (auto& argument : arguments) raw.push_back(argument.data());
  raw.push_back(nullptr);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, "/proc/self/exe", &files, &attributes, raw.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    return fail(ErrorKind::unavailable,
                std::string("no process can be started: ") + std::strerror(error));
  }
  return pid;
}

/// The line that the started process reports, or nothing where it ended without one.
std::optional<std::string> report_of(int descriptor) {
  std::string line;
  char c = 0;
  pollfd waiting{descriptor, POLLIN, 0};
  while (::poll(&waiting, 1, static_cast<int>(limits::start_max.count())) > 0) {
    const auto got = ::read(descriptor, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    if (c == '\n') return line;
    line += c;
  }
  return std::nullopt;
}

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// All that is left to read.
std::string rest_of(int descriptor) {
  std::string text;
  char chunk[4096];
  for (;;) {
    const auto got = ::read(descriptor, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(chunk, static_cast<std::size_t>(got));
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

int say_why_not(const runtime::Settings& settings, pid_t pid, const std::string& reason) {
  int status = 0;
  ::waitpid(pid, &status, reason.empty() ? WNOHANG : 0);
  if (!reason.empty()) {
    complain(reason);
    return Exit::failed;
  }
  const auto why = text_of(stderr_file(settings));
  std::fputs(why.c_str(), stderr);
  if (why.empty()) complain("the application ended while it was starting");
  complain("its log is " + background_log(settings));
  return Exit::failed;
}

int say_running(const Json& status) {
  std::printf("%s is already running (pid %s)\n", status.at("name").as_string().c_str(),
              json::print(status.at("pid")).c_str());
  return Exit::ok;
}

/// The application that holds the data folder, also one that is still starting; nothing where
/// nobody does. An error where it is held for longer than `patience` by somebody who does not
/// answer.
Result<std::optional<ControlClient>> reach(const runtime::Settings& settings,
                                           std::chrono::milliseconds patience) {
  const auto path = runtime::control_path(settings.data);
  if (!path) return std::unexpected(path.error());
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    if (auto client = ControlClient::connect(*path)) return client;
    // Held without a socket: it starts, it ends, or it is a `toa call` of its own.
    const auto free = runtime::wait_until_free(settings.data, limits::call_lock_wait);
    if (free) return std::nullopt;
    const bool held = free.error().kind == ErrorKind::conflict;
    if (!held || std::chrono::steady_clock::now() > deadline) return std::unexpected(free.error());
  }
}

int start(const runtime::Settings& settings, const runtime::Options& options) {
  // Makes the folder, and finds out early whether somebody holds it who does not answer.
  auto running = reach(settings, limits::start_lock_wait);
  if (!running) {
    complain(running.error().message);
    return Exit::failed;
  }
  if (*running) {
    if (const auto status = (*running)->status()) return say_running(*status);
  }

  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) {
    complain(std::string("no pipe can be made: ") + std::strerror(errno));
    return Exit::failed;
  }
  const auto pid = spawn(settings, options, report[1]);
  ::close(report[1]);
  if (!pid) {
    complain(pid.error().message);
    return Exit::failed;
  }
  const auto line = report_of(report[0]);
  const auto reason = line == "failed" ? rest_of(report[0]) : std::string();
  ::close(report[0]);
  std::istringstream words(line.value_or(""));
  std::string word;
  std::string name;
  std::string process;
  std::string components;
  std::string address;
  words >> word >> name >> process >> components >> address;
  if (word != "ready") return say_why_not(settings, *pid, reason);
  if (!address.empty()) address = ", HTTP at " + address;
  std::printf("%s is running (pid %s): %s components, data in %s%s\n", name.c_str(),
              process.c_str(), components.c_str(), settings.data.c_str(), address.c_str());
  constexpr std::string_view made_key = " key ";
  if (const auto at = line->find(made_key); at != std::string::npos)
    std::printf("made a key for tokens in %s; keep it out of version control\n",
                line->substr(at + made_key.size()).c_str());
  return Exit::ok;
}

int stop(const runtime::Settings& settings, ControlClient& client) {
  const auto status = client.status();
  const auto asked = client.stop();
  if (!status || !asked) {
    complain((!status ? status.error() : asked.error()).message);
    return Exit::failed;
  }
  const auto patience = limits::drain_max + std::chrono::seconds(10);
  const bool ended = client.wait_for_end(static_cast<int>(patience.count()));
  // The connection closes a moment before the process lets go of its data.
  const auto folder =
      ended ? runtime::wait_until_free(settings.data, std::chrono::seconds(10))
            : Result<void>(fail(ErrorKind::unavailable,
                                "it does not stop; its log is " + background_log(settings)));
  if (!folder) {
    complain(folder.error().message);
    return Exit::failed;
  }
  std::printf("%s stopped\n", status->at("name").as_string().c_str());
  return Exit::ok;
}

int stop(const runtime::Settings& settings) {
  // Where nothing ever ran, nothing is made in order to look.
  std::error_code ignored;
  auto client = std::filesystem::exists(settings.data, ignored)
                    ? reach(settings, limits::stop_lock_wait)
                    : Result<std::optional<ControlClient>>(std::nullopt);
  if (!client) {
    complain(client.error().message +
             " Its control socket does not answer: it is starting, or the socket is gone; "
             "then end it with `kill` and that number");
    return Exit::failed;
  }
  if (!*client) {
    std::puts("not running");
    return Exit::ok;
  }
  return stop(settings, **client);
}

}  // namespace

std::string background_log(const runtime::Settings& settings) {
  return settings.data + "/toa.log";
}

int start_in_background(const runtime::Options& options) {
  const auto settings = runtime::settle(options);
  if (settings) return start(*settings, options);
  complain(settings.error().message);
  return Exit::failed;
}

int stop_in_background(const runtime::Options& options) {
  const auto settings = runtime::settle(options);
  if (settings) return stop(*settings);
  complain(settings.error().message);
  return Exit::failed;
}

}  // namespace toa::cli
