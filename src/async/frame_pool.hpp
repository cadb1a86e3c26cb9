#pragma once

#include <cstddef>

namespace toa {

/// Memory for the frames of coroutines, kept by each thread to be used again. A call makes and ends
/// some twenty frames: the one that ended last is given first, since it is still in the core's
/// cache. Frames larger than `limits::coroutine_frame_kept_bytes_max` come from the heap each time,
/// and so do all under a sanitizer, which could not see otherwise that one is used after its end.
/// A thread keeps at most `limits::coroutine_frames_kept_bytes_max`.
void* take_frame(std::size_t bytes);
/// `bytes` as when it was taken. On any thread, which then keeps it.
void give_frame(void* frame, std::size_t bytes) noexcept;

/// What this thread keeps.
std::size_t kept_frame_bytes();

/// Of a coroutine's promise: its frames are of the pool.
struct PooledFrame {
  static void* operator new(std::size_t bytes) { return take_frame(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept { give_frame(frame, bytes); }
};

}  // namespace toa
