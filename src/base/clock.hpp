#pragma once

#include <chrono>
#include <cstdint>

namespace toa {

/// Milliseconds since the epoch.
using EpochMs = std::int64_t;

/// Time as the runtime sees it. `now` is the wall clock (it may jump), `steady` only grows and is
/// for durations. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual EpochMs now() const = 0;
  virtual std::chrono::nanoseconds steady() const = 0;
};

/// The machine's clock, moved by `shift` (TOA_TIME; for tests and drills).
class SystemClock final : public Clock {
 public:
  explicit SystemClock(std::chrono::milliseconds shift = {}) : shift_(shift) {}
  EpochMs now() const override;
  std::chrono::nanoseconds steady() const override;

 private:
  std::chrono::milliseconds shift_;
};

/// A clock that moves when told to, for tests.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(EpochMs now) : now_(now) {}
  EpochMs now() const override { return now_; }
  std::chrono::nanoseconds steady() const override { return steady_; }
  void advance(std::chrono::milliseconds by) {
    now_ += by.count();
    steady_ += by;
  }
  void jump(std::chrono::milliseconds by) { now_ += by.count(); }

 private:
  EpochMs now_;
  std::chrono::nanoseconds steady_{};
};

}  // namespace toa
