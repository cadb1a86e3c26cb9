#pragma once

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <functional>

namespace toa {

using Callback = std::move_only_function<void()>;

/// The thread that everything of the core runs on, with its timers. The real one is AsioLoop; the
/// simulation has its own, with virtual time and an order of its choosing.
class Loop {
 public:
  using TimerId = std::uint64_t;

  virtual ~Loop() = default;

  /// Runs `callback` on the loop's thread, later. The only member that any thread may call.
  virtual void post(Callback callback) = 0;
  /// Resumes a coroutine of this loop, not from within the caller.
  virtual void resume_soon(std::coroutine_handle<> waiting) = 0;
  /// Runs `callback` once, no earlier than `delay` from now.
  virtual TimerId after(std::chrono::milliseconds delay, Callback callback) = 0;
  /// Forgets a timer; nothing happens where it has already fired.
  virtual void cancel(TimerId timer) = 0;
};

/// A thread, or what stands for one in a simulation, that runs posted work in order.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Thread-safe.
  virtual void post(Callback work) = 0;
};

}  // namespace toa
