#include "kill/victim_process.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "base/assert.hpp"
#include "runtime/control_path.hpp"

namespace toa::kill {
namespace {

constexpr int ready_descriptor = 3;
constexpr int start_max_ms = 60'000;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> surroundings(const VictimProcess::Options& options) {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("TOA_") && !text.starts_with("KILL_")) all.emplace_back(text);
  }
  all.push_back("KILL_STORAGE=" + options.storage);
  all.push_back("TOA_FAULT=" + options.fault);
  // What fails is set aside within the drill.
  all.emplace_back("TOA_LADDER=10,10,20,40");
  return all;
}

}  // namespace

VictimProcess::VictimProcess(const Options& options) : log_file_(options.data + "/victim.log") {
  const auto path = runtime::control_path(options.data);
  require(path.has_value(), "a temporary folder has room for a control socket");
  socket_ = *path;

  int ends[2];
  require(::pipe2(ends, O_CLOEXEC) == 0, "a pipe can be made");
  ready_ = ends[0];
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log_file_.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&files, ends[1], ready_descriptor);
  posix_spawn_file_actions_addclosefrom_np(&files, ready_descriptor + 1);

  std::vector<std::string> arguments{
      "toa_victim", "mono",  "--path",    KILL_APP, "--data",     options.data,
      "--log",      "error", "--workers", "1",      "--ready-fd", std::to_string(ready_descriptor)};
  auto variables = surroundings(options);
  const int error = ::posix_spawn(&pid_, KILL_VICTIM, &files, nullptr, pointers(arguments).data(),
                                  pointers(variables).data());
  posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  require(error == 0, "the victim can be started");
}

VictimProcess::~VictimProcess() {
  kill();
  wait();
  ::close(ready_);
}

bool VictimProcess::wait_until_ready() {
  std::string line;
  char chunk[256];
  pollfd waiting{ready_, POLLIN, 0};
  while (!line.ends_with('\n') && ::poll(&waiting, 1, start_max_ms) > 0) {
    const auto got = ::read(ready_, chunk, sizeof chunk);
    if (got <= 0) return false;
    line.append(chunk, static_cast<std::size_t>(got));
  }
  return line.starts_with("ready ");
}

void VictimProcess::kill() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

void VictimProcess::stop() {
  if (pid_ > 0) ::kill(pid_, SIGTERM);
}

int VictimProcess::wait() {
  int status = 0;
  if (pid_ <= 0) return status;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  pid_ = -1;
  return status;
}

std::string VictimProcess::log() const {
  std::ostringstream text;
  text << std::ifstream(log_file_).rdbuf();
  return text.str();
}

}  // namespace toa::kill
