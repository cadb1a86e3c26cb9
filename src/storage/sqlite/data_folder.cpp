#include "storage/sqlite/data_folder.hpp"

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "storage/sqlite/trouble.hpp"

namespace toa::storage::sqlite {

namespace {

// Between two looks at a lock that another process holds: shorter than a person notices.
constexpr std::chrono::milliseconds look_again_after{20};

Result<void> make_folder(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  std::error_code refused;
  if (!parent.empty()) std::filesystem::create_directories(parent, refused);
  if (refused) return std::unexpected(system_trouble(parent.string(), refused.value()));
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  const int system = errno;
  struct stat found{};
  if (system == EEXIST && ::stat(path.c_str(), &found) == 0)
    return S_ISDIR(found.st_mode) ? Result<void>() : std::unexpected(system_trouble(path, ENOTDIR));
  return std::unexpected(system_trouble(path, system));
}

/// What the holder wrote of itself; information only.
std::string holder(int lock) {
  char text[24];
  const auto size = ::pread(lock, text, sizeof text, 0);
  int pid = 0;
  if (size > 0) std::from_chars(text, text + size, pid);
  return pid > 0 ? fmt::format("process {}", pid) : "another process";
}

void write_pid(int lock) {
  const auto text = fmt::format("{}\n", ::getpid());
  // Nothing depends on it: where the disk is full, the message about the holder just lacks its
  // number.
  if (::ftruncate(lock, 0) != 0) return;
  [[maybe_unused]] const auto written = ::pwrite(lock, text.data(), text.size(), 0);
}

}  // namespace

Result<DataFolder> DataFolder::take(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (auto made = make_folder(path); !made) return std::unexpected(made.error());
  const auto file = path + "/lock";
  const int lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return std::unexpected(system_trouble(file, errno));
  DataFolder folder(std::move(path), lock);
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0) {
    write_pid(lock);
    return folder;
  }
  if (errno != EWOULDBLOCK) return std::unexpected(system_trouble(file, errno));
  return fail(ErrorKind::conflict,
              fmt::format("{} is in use by {}. Stop it (`toa stop`), or choose another folder "
                          "with --data.",
                          folder.path_, holder(lock)));
}

Result<DataFolder> DataFolder::take_within(std::string path, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    auto taken = take(path);
    const bool held = !taken && taken.error().kind == ErrorKind::conflict;
    if (!held || std::chrono::steady_clock::now() >= deadline) return taken;
    std::this_thread::sleep_for(look_again_after);
  }
}

DataFolder::~DataFolder() {
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace toa::storage::sqlite
