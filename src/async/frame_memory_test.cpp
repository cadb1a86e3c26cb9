#include "async/frame_memory.hpp"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "base/limits.hpp"

namespace toa {
namespace {

TEST(FrameMemory, IsWritableInFullWhateverItsSize) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{64}, std::size_t{65},
                                  limits::frame_bytes_max, limits::frame_bytes_max + 1}) {
    auto* frame = static_cast<unsigned char*>(FrameMemory::take(bytes));
    frame[0] = 1;
    frame[bytes - 1] = 2;
    FrameMemory::give(frame, bytes);
  }
}

TEST(FrameMemory, TwoFramesInUseAreApart) {
  auto* one = static_cast<char*>(FrameMemory::take(100));
  auto* other = static_cast<char*>(FrameMemory::take(100));
  EXPECT_TRUE(one + 100 <= other || other + 100 <= one);
  FrameMemory::give(one, 100);
  FrameMemory::give(other, 100);
}

TEST(FrameMemory, MayBeGivenBackByAnotherThread) {
  std::vector<void*> frames;
  for (int i = 0; i < 1'000; ++i) frames.push_back(FrameMemory::take(200));
  std::thread([&frames] {
    for (auto* frame : frames) FrameMemory::give(frame, 200);
    FrameMemory::give(FrameMemory::take(200), 200);
  }).join();
  FrameMemory::give(FrameMemory::take(200), 200);
}

TEST(FrameMemory, MoreThanIsKeptIsGivenBack) {
  std::vector<void*> frames;
  const auto count = limits::frames_kept_bytes_max / limits::frame_bytes_max + 10;
  for (std::size_t i = 0; i < count; ++i)
    frames.push_back(FrameMemory::take(limits::frame_bytes_max));
  for (auto* frame : frames) FrameMemory::give(frame, limits::frame_bytes_max);
}

}  // namespace
}  // namespace toa
