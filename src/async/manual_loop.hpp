#pragma once

#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "async/loop.hpp"
#include "async/task.hpp"
#include "async/timer_queue.hpp"
#include "base/assert.hpp"
#include "base/clock.hpp"

namespace toa {

/// A loop for tests: the thread that calls `run_…` is the loop's thread, and time moves only when
/// told to. Nothing runs outside of a `run_…` or `advance` call, and none of these may be called
/// from within another.
///
///     ManualLoop loop(clock);                       // `clock` moves together with the loop's time
///     auto reply = loop.run_until(storage.load(…)); // waits for posts of other threads
///     loop.run_until(pause(loop, 1s), ManualLoop::Idle::jump);  // jumps to the next timer
///     whenever nothing else is left
class ManualLoop final : public Loop {
 public:
  /// What to do while a task waits and nothing is ready to run.
  enum class Idle {
    wait,  // for a post of another thread; time stands still
    jump,  // to the next timer
  };

  ManualLoop() = default;
  explicit ManualLoop(ManualClock& clock) : clock_(&clock) {}
  ManualLoop(const ManualLoop&) = delete;
  ManualLoop& operator=(const ManualLoop&) = delete;

  void post(Callback callback) override {
    {
      const std::lock_guard lock(mutex_);
      posted_.push_back(std::move(callback));
    }
    wake_.notify_one();
  }

  void resume_soon(std::coroutine_handle<> waiting) override { ready_.push_back(waiting); }

  TimerId after(std::chrono::milliseconds delay, Callback callback) override {
    return timers_.add(now_ + delay, std::move(callback));
  }

  void cancel(TimerId timer) override { timers_.cancel(timer); }

  /// Virtual time since the loop was made.
  std::chrono::nanoseconds now() const { return now_; }

  /// Runs what is ready or posted, and what that makes ready, until nothing is left but timers that
  /// are not due.
  void run_until_idle() {
    while (run_one_round()) {
    }
  }

  /// Moves time by `by`, firing each timer at its moment.
  void advance(std::chrono::milliseconds by) {
    const auto end = now_ + by;
    for (run_until_idle(); timers_.next() && *timers_.next() <= end; run_until_idle())
      move_to(*timers_.next());
    move_to(end);
  }

  /// Runs until `task` has ended and returns its value, or throws what it threw. One that can never
  /// end (nothing is ready, no timer to jump to, no post for a minute of real time) ends the
  /// process.
  template <class T>
  T run_until(Task<T> task, Idle idle = Idle::wait) {
    std::exception_ptr exception;
    if constexpr (std::is_void_v<T>) {
      bool ended = false;
      auto root = watch(std::move(task), ended, exception);
      drive(root.handle, ended, idle);
      if (exception) std::rethrow_exception(exception);
    } else {
      bool ended = false;
      std::optional<T> value;
      auto root = watch(std::move(task), value, ended, exception);
      drive(root.handle, ended, idle);
      if (exception) std::rethrow_exception(exception);
      return std::move(*value);
    }
  }

 private:
  /// A coroutine that is started by hand and kept by whoever runs it.
  struct Root {
    struct promise_type {
      Root get_return_object() noexcept {
        return Root(std::coroutine_handle<promise_type>::from_promise(*this));
      }
      std::suspend_always initial_suspend() noexcept { return {}; }
      std::suspend_always final_suspend() noexcept { return {}; }
      void return_void() noexcept {}
      void unhandled_exception() noexcept { std::terminate(); }
    };
    explicit Root(std::coroutine_handle<promise_type> h) : handle(h) {}
    Root(const Root&) = delete;
    Root& operator=(const Root&) = delete;
    ~Root() { handle.destroy(); }
    std::coroutine_handle<promise_type> handle;
  };

  template <class T>
  static Root watch(Task<T> task, std::optional<T>& value, bool& ended,
                    std::exception_ptr& exception) {
    try {
      value.emplace(co_await std::move(task));
    } catch (...) {
      exception = std::current_exception();
    }
    ended = true;
  }

  static Root watch(Task<void> task, bool& ended, std::exception_ptr& exception) {
    try {
      co_await std::move(task);
    } catch (...) {
      exception = std::current_exception();
    }
    ended = true;
  }

  void drive(std::coroutine_handle<> root, const bool& ended, Idle idle) {
    root.resume();
    while (!ended) {
      if (run_one_round()) continue;
      if (ended) return;
      if (idle == Idle::jump && timers_.next()) {
        move_to(*timers_.next());
      } else {
        wait_for_post();
      }
    }
  }

  bool run_one_round() {
    const auto ready = std::exchange(ready_, {});
    for (const auto waiting : ready) waiting.resume();
    auto posted = take_posted();
    for (auto& callback : posted) callback();
    bool fired = false;
    while (auto callback = timers_.take(now_)) {
      (*callback)();
      fired = true;
    }
    return !ready.empty() || !posted.empty() || fired;
  }

  std::deque<Callback> take_posted() {
    const std::lock_guard lock(mutex_);
    return std::exchange(posted_, {});
  }

  void wait_for_post() {
    std::unique_lock lock(mutex_);
    const bool woken =
        wake_.wait_for(lock, std::chrono::minutes(1), [this] { return !posted_.empty(); });
    require(woken, "a task waits for something that never comes");
  }

  void move_to(std::chrono::nanoseconds time) {
    if (clock_) {
      using std::chrono::milliseconds;
      const auto whole = [](auto t) { return std::chrono::duration_cast<milliseconds>(t); };
      clock_->advance(whole(time) - whole(now_));
    }
    now_ = time;
  }

  ManualClock* clock_ = nullptr;
  std::chrono::nanoseconds now_{};
  std::vector<std::coroutine_handle<>> ready_;
  TimerQueue timers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Callback> posted_;
};

/// An executor without a thread: its work is part of the loop's, in order. For the simulation and
/// for tests.
class LoopExecutor final : public Executor {
 public:
  explicit LoopExecutor(Loop& loop) : loop_(loop) {}
  void post(Callback work) override { loop_.post(std::move(work)); }

 private:
  Loop& loop_;
};

}  // namespace toa
