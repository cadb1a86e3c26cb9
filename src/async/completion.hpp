#pragma once

#include <chrono>
#include <coroutine>
#include <optional>
#include <utility>

#include "async/loop.hpp"
#include "async/task.hpp"

namespace toa {

/// A value that comes once, awaited by one coroutine. Completed and awaited on the loop's thread;
/// it lives in the awaiting coroutine's frame, so whoever completes it must be done before that
/// frame ends.
template <class T>
class Completion {
 public:
  explicit Completion(Loop& loop) : loop_(loop) {}
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  /// The first value wins; true if this was it.
  bool complete(T value) {
    if (value_) return false;
    value_.emplace(std::move(value));
    if (waiting_) loop_.resume_soon(std::exchange(waiting_, nullptr));
    return true;
  }

  bool completed() const { return value_.has_value(); }

  bool await_ready() const noexcept { return value_.has_value(); }
  void await_suspend(std::coroutine_handle<> waiting) noexcept { waiting_ = waiting; }
  T await_resume() { return std::move(*value_); }

 private:
  Loop& loop_;
  std::optional<T> value_;
  std::coroutine_handle<> waiting_;
};

/// Waits for `delay`.
inline Task<void> pause(Loop& loop, std::chrono::milliseconds delay) {
  Completion<bool> over(loop);
  loop.after(delay, [&over] { over.complete(true); });
  co_await over;
}

}  // namespace toa
