#pragma once

#include <chrono>
#include <set>
#include <utility>

#include "async/completion.hpp"
#include "async/loop.hpp"
#include "async/task.hpp"

namespace toa::delivery {

/// Pauses of work under way, which end early when no more time is to be spent on it. Loop thread.
class Rests {
 public:
  explicit Rests(Loop& loop) : loop_(loop) {}

  /// Returns after `longest`, or at once where `end` was or is called.
  Task<void> rest(std::chrono::milliseconds longest) {
    if (ended_) co_return;
    Completion<bool> over(loop_);
    resting_.insert(&over);
    const auto timer = loop_.after(longest, [this, &over] {
      resting_.erase(&over);
      over.complete(true);
    });
    co_await over;
    loop_.cancel(timer);
  }

  void end() {
    ended_ = true;
    for (auto* over : std::exchange(resting_, {})) over->complete(false);
  }

 private:
  Loop& loop_;
  std::set<Completion<bool>*> resting_;
  bool ended_ = false;
};

}  // namespace toa::delivery
