#include "async/frame_memory.hpp"

#include <array>
#include <new>
#include <utility>

#include "base/limits.hpp"

namespace toa {
namespace {

constexpr std::size_t step = 64;
constexpr std::size_t classes = limits::frame_bytes_max / step;

/// What a frame that is not in use holds.
struct Free {
  Free* next;
};

class Kept {
 public:
  ~Kept() {
    for (auto* first : lists_) {
      while (first != nullptr) ::operator delete(std::exchange(first, first->next));
    }
    // What ends after it is given back to the system.
    bytes_ = limits::frames_kept_bytes_max;
  }

  void* take(std::size_t size_class) {
    auto*& first = lists_[size_class];
    if (first == nullptr) return nullptr;
    bytes_ -= (size_class + 1) * step;
    return std::exchange(first, first->next);
  }

  bool give(void* frame, std::size_t size_class) {
    const auto bytes = (size_class + 1) * step;
    if (bytes_ + bytes > limits::frames_kept_bytes_max) return false;
    bytes_ += bytes;
    lists_[size_class] = new (frame) Free{lists_[size_class]};
    return true;
  }

 private:
  std::array<Free*, classes> lists_{};
  std::size_t bytes_ = 0;
};

thread_local Kept kept;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
// A frame that is kept would hide that somebody still uses it.
constexpr bool keeps = false;
#else
constexpr bool keeps = true;
#endif
#else
constexpr bool keeps = true;
#endif

std::size_t class_of(std::size_t bytes) {
  return (bytes - 1) / step;
}

}  // namespace

void* FrameMemory::take(std::size_t bytes) {
  const auto size_class = class_of(bytes);
  if (!keeps || size_class >= classes) return ::operator new(bytes);
  if (void* frame = kept.take(size_class)) return frame;
  return ::operator new((size_class + 1) * step);
}

void FrameMemory::give(void* frame, std::size_t bytes) noexcept {
  const auto size_class = class_of(bytes);
  if (!keeps || size_class >= classes || !kept.give(frame, size_class)) ::operator delete(frame);
}

}  // namespace toa
