#include "async/frame_pool.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "base/limits.hpp"

namespace toa {
namespace {

/// Frames as a coroutine has them: written to from end to end.
void* written_frame(std::size_t bytes) {
  auto* const frame = take_frame(bytes);
  std::memset(frame, 0xa5, bytes);
  return frame;
}

#if !defined(__has_feature) || \
    !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
TEST(FramePool, GivesTheFrameThatEndedLastFirst) {
  auto* const first = written_frame(1'000);
  auto* const second = written_frame(1'000);
  give_frame(first, 1'000);
  give_frame(second, 1'000);
  EXPECT_EQ(take_frame(1'000), second);
  EXPECT_EQ(take_frame(1'000), first);
  give_frame(first, 1'000);
  give_frame(second, 1'000);
}
#endif

TEST(FramePool, KeepsSizesApart) {
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{128}, std::size_t{129}, limits::coroutine_frame_kept_bytes_max,
        limits::coroutine_frame_kept_bytes_max + 1}) {
    std::vector<void*> frames;
    for (int i = 0; i < 8; ++i) frames.push_back(written_frame(bytes));
    for (auto* frame : frames) give_frame(frame, bytes);
  }
}

TEST(FramePool, KeepsABoundedNumberOfBytes) {
  constexpr std::size_t bytes = limits::coroutine_frame_kept_bytes_max;
  constexpr auto frames_max = limits::coroutine_frames_kept_bytes_max / bytes;
  std::vector<void*> frames;
  for (std::size_t i = 0; i < 2 * frames_max; ++i) frames.push_back(written_frame(bytes));
  for (auto* frame : frames) give_frame(frame, bytes);
  EXPECT_LE(kept_frame_bytes(), limits::coroutine_frames_kept_bytes_max);
}

TEST(FramePool, TakesBackWhatAnotherThreadTook) {
  auto* const frame = written_frame(500);
  std::thread([frame] { give_frame(frame, 500); }).join();
}

}  // namespace
}  // namespace toa
