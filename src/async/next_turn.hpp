#pragma once

#include <coroutine>

#include "async/loop.hpp"

namespace toa {

/// Goes on in the loop's next turn.
struct NextTurn {
  Loop& loop;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) const { loop.resume_soon(waiting); }
  void await_resume() const noexcept {}
};

}  // namespace toa
