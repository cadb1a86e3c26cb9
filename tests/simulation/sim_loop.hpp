#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "async/loop.hpp"
#include "async/timer_queue.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"

namespace toa::simulation {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// The time of a simulation: it passes as the loop says, and the wall clock jumps when told to.
class SimTime final : public Clock {
 public:
  EpochMs now() const override {
    return begin + std::chrono::duration_cast<milliseconds>(passed_).count() + jumped_.count();
  }
  nanoseconds steady() const override { return passed_; }

  void pass(nanoseconds by) { passed_ += by; }
  void jump(milliseconds by) {
    jumped_ += by;
    forward_ = std::max(forward_, jumped_);
  }
  /// No clock that follows this one has gone further since the beginning.
  nanoseconds furthest() const { return passed_ + forward_; }

 private:
  static constexpr EpochMs begin = 1'700'000'000'000;
  nanoseconds passed_{};
  milliseconds jumped_{};
  milliseconds forward_{};
};

/// A loop whose next step is chosen by the seed among everything that could be next: what was
/// posted, coroutines to be resumed, the timer that is due. Steps take a little time, so that
/// timers and other work meet in every order.
class SimLoop final : public Loop {
 public:
  /// How orderly: always first come, first served, or any of what is ready.
  enum class Order { first_come, any };

  SimLoop(SimTime& time, Random& random, Order order)
      : time_(time), random_(random), order_(order) {}

  void post(Callback callback) override { ready_.push_back(std::move(callback)); }
  void resume_soon(std::coroutine_handle<> waiting) override {
    ready_.emplace_back([waiting] { waiting.resume(); });
  }
  TimerId after(milliseconds delay, Callback callback) override {
    return timers_.add(time_.steady() + delay, std::move(callback));
  }
  TimerId after(nanoseconds delay, Callback callback) {
    return timers_.add(time_.steady() + delay, std::move(callback));
  }
  void cancel(TimerId timer) override { timers_.cancel(timer); }

  /// Takes one step, moving time to the next timer where nothing else is left; false where nothing
  /// at all is.
  bool step();
  /// Forgets everything, as the end of a process does.
  void clear();

  std::uint64_t steps() const { return steps_; }

 private:
  SimTime& time_;
  Random& random_;
  Order order_;
  std::deque<Callback> ready_;
  TimerQueue timers_;
  std::uint64_t steps_ = 0;
};

/// Stands for a thread: runs what it is given in order, each piece as late as the seed says.
class SimWorker final : public Executor {
 public:
  /// How long a piece of work takes at most, and how long one in a hundred takes.
  struct Pace {
    nanoseconds usual_max;
    nanoseconds slow_max;
  };

  SimWorker(SimLoop& loop, Random& random, Pace pace) : loop_(loop), random_(random), pace_(pace) {}

  void post(Callback work) override;

 private:
  void run_later();

  SimLoop& loop_;
  Random& random_;
  Pace pace_;
  std::deque<Callback> queue_;
};

}  // namespace toa::simulation
