#include "disk.hpp"

#include <array>
#include <fcntl.h>
#include <unistd.h>

#include "expect.hpp"

namespace toa::bench {

Spread measure_flushes(const std::string& folder, std::chrono::milliseconds duration) {
  using Clock = std::chrono::steady_clock;
  const auto path = folder + "/flushed";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  expect(file >= 0, "no file can be made in the measured folder");
  const std::array<char, 4096> page{};
  Spread flushes;
  for (const auto end = Clock::now() + duration; Clock::now() < end;) {
    expect(::write(file, page.data(), page.size()) == ssize_t{page.size()}, "the disk is full");
    const auto before = Clock::now();
    expect(::fdatasync(file) == 0, "the disk cannot flush");
    flushes.add(Clock::now() - before);
  }
  ::close(file);
  ::unlink(path.c_str());
  return flushes;
}

}  // namespace toa::bench
