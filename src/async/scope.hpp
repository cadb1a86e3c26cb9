#pragma once

#include <cstddef>

#include "async/completion.hpp"
#include "async/loop.hpp"
#include "async/task.hpp"

namespace toa {

/// Holds work that nobody awaits by name. Invariants: (1) nothing spawned outlives the scope's
/// `close`; (2) an exception that leaves spawned work is a broken invariant and ends the process.
/// Loop thread only.
class Scope {
 public:
  explicit Scope(Loop& loop) : loop_(loop) {}
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// Starts `work` at once, up to its first wait.
  void spawn(Task<void> work);
  /// Waits until all spawned work has ended. Called once; spawning after it has returned is a
  /// fault.
  Task<void> close();

  std::size_t running() const { return running_; }

 private:
  void ended();

  Loop& loop_;
  std::size_t running_ = 0;
  bool closed_ = false;
  /// Of the `close` that waits.
  Completion<bool>* empty_ = nullptr;
};

}  // namespace toa
