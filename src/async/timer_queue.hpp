#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "async/loop.hpp"

namespace toa {

/// Timers by due time; equal times fire in the order of their making.
class TimerQueue {
 public:
  using Time = std::chrono::nanoseconds;

  Loop::TimerId add(Time due, Callback callback) {
    const auto id = ++last_;
    due_.emplace(id, due);
    timers_.emplace(std::pair(due, id), std::move(callback));
    return id;
  }

  void cancel(Loop::TimerId id) {
    const auto found = due_.find(id);
    if (found == due_.end()) return;
    timers_.erase({found->second, id});
    due_.erase(found);
  }

  std::optional<Time> next() const {
    return timers_.empty() ? std::nullopt : std::optional(timers_.begin()->first.first);
  }

  /// Takes the first timer that is due at `now`.
  std::optional<Callback> take(Time now) {
    if (timers_.empty() || timers_.begin()->first.first > now) return std::nullopt;
    auto node = timers_.extract(timers_.begin());
    due_.erase(node.key().second);
    return std::move(node.mapped());
  }

 private:
  std::map<std::pair<Time, Loop::TimerId>, Callback> timers_;
  std::unordered_map<Loop::TimerId, Time> due_;
  Loop::TimerId last_ = 0;
};

}  // namespace toa
