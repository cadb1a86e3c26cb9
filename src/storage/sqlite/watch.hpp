#pragma once

#include <chrono>
#include <sqlite3.h>

#include "base/clock.hpp"
#include "storage/sqlite/connection.hpp"

namespace toa::storage::sqlite {

/// Interrupts what runs on a connection when it takes too long: the step fails with
/// SQLITE_INTERRUPT.
class Watch {
 public:
  Watch(Connection& connection, const Clock& clock, std::chrono::milliseconds time_max)
      : connection_(connection), clock_(clock), until_(clock.steady() + time_max) {
    constexpr int instructions = 20'000;  // well below a millisecond
    sqlite3_progress_handler(connection_.get(), instructions, is_over, this);
  }
  ~Watch() { sqlite3_progress_handler(connection_.get(), 0, nullptr, nullptr); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  static int is_over(void* self) {
    const auto& watch = *static_cast<const Watch*>(self);
    return watch.clock_.steady() > watch.until_ ? 1 : 0;
  }

  Connection& connection_;
  const Clock& clock_;
  std::chrono::nanoseconds until_;
};

}  // namespace toa::storage::sqlite
