#include "yardstick.hpp"

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "expect.hpp"

namespace toa::bench {
namespace {

constexpr auto script = TOA_SOURCE_DIR "/bench/yardstick/run";
constexpr int is_missing = 3;

/// A line that begins with this word, without it; empty where the program ended before.
std::string line_after(const std::string& word, std::FILE* from) {
  std::array<char, 4096> line;
  while (std::fgets(line.data(), line.size(), from) != nullptr) {
    std::string text(line.data());
    if (text.starts_with(word + ' '))
      return text.substr(word.size() + 1, text.find('\n') - word.size() - 1);
  }
  return {};
}

}  // namespace

std::optional<Yardstick> Yardstick::start(const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::array<int, 2> input{}, output{};
  expect(::pipe2(input.data(), O_CLOEXEC) == 0 && ::pipe2(output.data(), O_CLOEXEC) == 0,
         "no pipe can be made");
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output[1], STDOUT_FILENO);
  std::string program = script, argument = folder;
  const std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  Yardstick made;
  const int error = ::posix_spawn(&made.pid_, script, &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  ::close(input[0]);
  ::close(output[1]);
  made.input_ = input[1];
  expect(error == 0, std::string("cannot be started: ") + script);

  auto* said = ::fdopen(output[0], "r");
  made.settings_ = line_after("settings", said);
  const auto port = made.settings_.empty() ? std::string() : line_after("port", said);
  std::fclose(said);
  if (!port.empty()) {
    made.port_ = static_cast<std::uint16_t>(std::stoi(port));
    return made;
  }
  ::close(std::exchange(made.input_, -1));
  int status = 0;
  ::waitpid(std::exchange(made.pid_, 0), &status, 0);
  expect(WIFEXITED(status) && WEXITSTATUS(status) == is_missing, "the yardstick did not start");
  return std::nullopt;
}

std::string Yardstick::code() {
  std::ifstream in(TOA_SOURCE_DIR "/bench/yardstick/service.mjs");
  return {std::istreambuf_iterator<char>(in), {}};
}

Yardstick::Yardstick(Yardstick&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      input_(std::exchange(other.input_, -1)),
      port_(other.port_),
      settings_(std::move(other.settings_)) {}

Yardstick::~Yardstick() {
  if (input_ >= 0) ::close(input_);
  if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
}

}  // namespace toa::bench
