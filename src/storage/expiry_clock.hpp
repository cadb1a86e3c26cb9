#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "base/limits.hpp"

namespace toa::storage {

/// The time by which remembered calls expire and messages fall due. Loop thread only.
///
/// (1) It never runs backwards, also over restarts: while the wall clock is behind the highest time
/// seen, it advances with the monotonic clock. A clock set back therefore never revives an expired
/// call, and a call remembered meanwhile is kept for its whole window.
/// (2) A wall clock that jumps ahead while the process runs is not followed before one window has
/// passed, also over restarts: were it wrong, every remembered call would be forgotten at once and
/// for good. A call remembered meanwhile has its whole window by either clock.
/// (3) A jump that is found at the start looks like a time in which nothing ran, and is followed:
/// what it expired answers no more. But none of that is deleted for a window of running time. Where
/// the wall clock was behind when it was last seen, it may have been set right instead, and is
/// doubted like one that jumps while the process runs.
class ExpiryClock final : public Clock {
 public:
  struct Options {
    /// The highest time that the storage has kept.
    EpochMs reached = 0;
    /// How far the wall clock was ahead of it and not followed, as far as the storage has kept;
    /// negative where it was behind.
    std::chrono::milliseconds ahead{};
    /// The longest for which a call is remembered.
    std::chrono::milliseconds window{limits::inbox_window_default_s * 1'000};
    /// Told once of each jump that is not followed.
    std::function<void(std::chrono::milliseconds ahead)> on_jump = {};
  };

  ExpiryClock(const Clock& clock, Options options)
      : clock_(clock),
        options_(std::move(options)),
        opened_at_(clock.steady()),
        anchor_(begins_at(clock.now(), options_)),
        anchored_at_(opened_at_) {}

  EpochMs now() const override {
    const auto wall = clock_.now();
    const auto floor = anchor_ + since(anchored_at_).count();
    if (!is_believed(wall - floor) || wall < floor) return floor;
    anchor_ = wall;
    anchored_at_ = clock_.steady();
    return wall;
  }
  std::chrono::nanoseconds steady() const override { return clock_.steady(); }

  /// What expired by then may be deleted.
  EpochMs deletes_to() const {
    const auto time = now();
    const auto running = since(opened_at_);
    if (running >= options_.window) return time;
    return std::min(time, options_.reached + running.count());
  }

  /// From when the window of a call that is remembered now counts: it is whole by either clock.
  EpochMs remembers_from() const { return std::max(now(), clock_.now()); }

  /// How far the wall clock is ahead and not followed; negative where it is behind.
  std::chrono::milliseconds ahead() const {
    return std::chrono::milliseconds(clock_.now() - now());
  }

 private:
  std::chrono::milliseconds since(std::chrono::nanoseconds moment) const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(clock_.steady() - moment);
  }

  static EpochMs begins_at(EpochMs wall, const Options& options) {
    if (options.ahead < -limits::clock_jump_max) return options.reached;
    const auto not_followed = std::max(options.ahead, std::chrono::milliseconds(0));
    return std::max(options.reached, wall - not_followed.count());
  }

  bool is_believed(EpochMs ahead_ms) const {
    const std::chrono::milliseconds ahead(ahead_ms);
    if (ahead <= limits::clock_jump_max) {
      doubted_at_.reset();
      return true;
    }
    if (!doubted_at_) {
      doubted_at_ = clock_.steady();
      if (options_.on_jump) options_.on_jump(ahead);
    }
    if (since(*doubted_at_) < options_.window) return false;
    doubted_at_.reset();
    return true;
  }

  const Clock& clock_;
  Options options_;
  std::chrono::nanoseconds opened_at_;
  mutable EpochMs anchor_;
  mutable std::chrono::nanoseconds anchored_at_;
  /// Since when the wall clock has been too far ahead.
  mutable std::optional<std::chrono::nanoseconds> doubted_at_;
};

}  // namespace toa::storage
