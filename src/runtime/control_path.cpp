#include "runtime/control_path.hpp"

#include <cstdlib>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/hex.hpp"
#include "base/sha256.hpp"

namespace toa::runtime {
namespace {

Result<std::string> runtime_directory() {
  if (const char* stated = std::getenv("XDG_RUNTIME_DIR"); stated != nullptr && *stated != '\0') {
    return std::string(stated);
  }
  const std::string folder = "/tmp/toa-" + std::to_string(::geteuid());
  ::mkdir(folder.c_str(), 0700);
  struct stat found{};
  // Anybody may make a folder in /tmp: one that is another user's must not be trusted with a
  // socket.
  const bool ours = ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
                    found.st_uid == ::geteuid() && (found.st_mode & 077) == 0;
  if (ours) return folder;
  return fail(
      ErrorKind::unavailable,
      folder + " is not a folder that only you can enter; remove it, or set XDG_RUNTIME_DIR");
}

}  // namespace

Result<std::string> control_path(const std::string& data) {
  const std::string beside = data + "/control.sock";
  if (beside.size() < sizeof(sockaddr_un{}.sun_path)) return beside;
  auto folder = runtime_directory();
  if (!folder) return folder;
  const auto hash = sha256_framed({"toa:1:control", data});
  const auto path = *folder + "/toa-" + to_hex(std::span(hash).first(12)) + ".sock";
  if (path.size() < sizeof(sockaddr_un{}.sun_path)) return path;
  return fail(ErrorKind::invalid, "the control socket's path is too long: " + path);
}

}  // namespace toa::runtime
