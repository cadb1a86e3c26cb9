#include "program.hpp"

#include <array>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.hpp"
#include "runtime/control_path.hpp"

namespace toa::bench {
namespace {

pid_t spawn(const std::string& program, const std::vector<std::string>& arguments, int output) {
  std::vector<std::string> all{program};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> raw;
  for (auto& argument : all) raw.push_back(argument.data());
  raw.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, program.c_str(), &files, nullptr, raw.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  expect(error == 0, "a program cannot be started: " + program);
  return pid;
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> chunk;
  for (;;) {
    const auto got = ::read(descriptor, chunk.data(), chunk.size());
    if (got <= 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

Ran run(const std::string& program, const std::vector<std::string>& arguments) {
  std::array<int, 2> output{};
  expect(::pipe2(output.data(), O_CLOEXEC) == 0, "no pipe can be made");
  const auto before = std::chrono::steady_clock::now();
  const auto pid = spawn(program, arguments, output[1]);
  ::close(output[1]);
  Ran ran;
  ran.output = read_all(output[0]);
  ::close(output[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  ran.took = std::chrono::steady_clock::now() - before;
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return ran;
}

Application::Application(std::string toa, std::string path, std::string data)
    : toa_(std::move(toa)), path_(std::move(path)), data_(std::move(data)) {
  const auto started = run(toa_, {"start", "--path", path_, "--data", data_});
  expect(started.code == 0, "the application did not start: " + path_);
  start_took_ = started.took;
  // "<name> is running (pid <n>): …"
  const auto place = started.output.find("(pid ");
  expect(place != std::string::npos, "`toa start` told no pid");
  pid_ = std::stoi(started.output.substr(place + 5));
  const std::string address = "HTTP at http://127.0.0.1:";
  if (const auto at = started.output.find(address); at != std::string::npos)
    port_ = static_cast<std::uint16_t>(std::stoi(started.output.substr(at + address.size())));
}

Application::~Application() {
  run(toa_, {"stop", "--path", path_, "--data", data_});
}

std::string Application::socket() const {
  const auto path = runtime::control_path(data_);
  expect(path.has_value(), "the control socket has no path");
  return *path;
}

Ran Application::call(const std::string& endpoint, const std::string& request) const {
  return run(toa_, {"call", endpoint, request, "--path", path_, "--data", data_});
}

}  // namespace toa::bench
