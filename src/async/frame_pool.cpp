#include "async/frame_pool.hpp"

#include <array>
#include <new>
#include <vector>

#include "base/limits.hpp"

namespace toa {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

// Frames whose sizes round to the same are one another's.
constexpr std::size_t step = 128;
constexpr std::size_t classes = limits::coroutine_frame_kept_bytes_max / step;

constexpr std::size_t class_of(std::size_t bytes) {
  return (bytes - 1) / step;
}

constexpr std::size_t bytes_of(std::size_t size_class) {
  return (size_class + 1) * step;
}

/// The kept frames of one thread, by their class. They are not linked through their own bytes,
/// which may have left the core's cache since.
class Pool {
 public:
  ~Pool() {
    ended_ = true;
    for (const auto& kept : kept_) {
      for (auto* frame : kept) ::operator delete(frame);
    }
  }

  void* take(std::size_t size_class) {
    auto& kept = kept_[size_class];
    if (ended_ || kept.empty()) return ::operator new(bytes_of(size_class));
    auto* const frame = kept.back();
    kept.pop_back();
    bytes_ -= bytes_of(size_class);
    return frame;
  }

  void give(void* frame, std::size_t size_class) noexcept {
    if (ended_ || bytes_ + bytes_of(size_class) > limits::coroutine_frames_kept_bytes_max) {
      ::operator delete(frame);
      return;
    }
    kept_[size_class].push_back(frame);
    bytes_ += bytes_of(size_class);
  }

  std::size_t bytes() const { return bytes_; }

 private:
  std::array<std::vector<void*>, classes> kept_{};
  std::size_t bytes_ = 0;
  /// What outlives the thread's own variables gives its frames back all the same.
  bool ended_ = false;
};

thread_local Pool pool;

constexpr bool is_pooled(std::size_t bytes) {
  return !sanitized && bytes <= limits::coroutine_frame_kept_bytes_max;
}

}  // namespace

void* take_frame(std::size_t bytes) {
  return is_pooled(bytes) ? pool.take(class_of(bytes)) : ::operator new(bytes);
}

void give_frame(void* frame, std::size_t bytes) noexcept {
  if (is_pooled(bytes)) {
    pool.give(frame, class_of(bytes));
  } else {
    ::operator delete(frame);
  }
}

std::size_t kept_frame_bytes() {
  return pool.bytes();
}

}  // namespace toa
