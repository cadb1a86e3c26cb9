#pragma once

#include <chrono>

#include "async/completion.hpp"
#include "async/loop.hpp"
#include "async/task.hpp"

namespace toa::bridge::node {

/// A wait that ends early, and for good, once it is rung. One waiter at a time.
class Alarm {
 public:
  explicit Alarm(Loop& loop) : loop_(loop) {}
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// True where the time passed, false where the alarm was rung.
  Task<bool> wait(std::chrono::milliseconds time) {
    if (rung_) co_return false;
    Completion<bool> over(loop_);
    over_ = &over;
    const auto timer = loop_.after(time, [&over] { over.complete(true); });
    co_await over;
    loop_.cancel(timer);
    over_ = nullptr;
    co_return !rung_;
  }

  void ring() {
    rung_ = true;
    if (over_ != nullptr) over_->complete(false);
  }

  bool rung() const { return rung_; }

 private:
  Loop& loop_;
  Completion<bool>* over_ = nullptr;
  bool rung_ = false;
};

}  // namespace toa::bridge::node
