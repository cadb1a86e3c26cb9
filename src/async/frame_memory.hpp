#pragma once

#include <cstddef>

namespace toa {

/// Memory of coroutine frames. The frame that ended last is given to the next of its size, while it
/// is still in the processor's cache: a call is served by some dozens of frames of up to some
/// kilobytes. Each thread keeps its own, at most `limits::frames_kept_bytes_max`.
class FrameMemory {
 public:
  static void* take(std::size_t bytes);
  /// `bytes` is what it was taken with. Any thread may give back.
  static void give(void* frame, std::size_t bytes) noexcept;
};

}  // namespace toa
