#include "async/scope.hpp"

#include <exception>
#include <string>
#include <utility>

#include "async/frame_pool.hpp"
#include "base/assert.hpp"

namespace toa {
namespace {

/// A coroutine that frees itself when it ends.
struct Detached {
  struct promise_type : PooledFrame {
    Detached get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept {
      try {
        throw;
      } catch (const std::exception& e) {
        broken_invariant("an exception left spawned work: " + std::string(e.what()));
      } catch (...) {
        broken_invariant("an exception of unknown type left spawned work");
      }
    }
  };
};

template <class Ended>
Detached run(Task<void> work, Ended ended) {
  co_await std::move(work);
  ended();
}

}  // namespace

Scope::~Scope() {
  require(running_ == 0, "a scope ended before its work");
}

void Scope::spawn(Task<void> work) {
  require(!closed_, "work was spawned into a closed scope");
  ++running_;
  run(std::move(work), [this] { ended(); });
}

Task<void> Scope::close() {
  // Work may be spawned until this goes on, which is a turn of the loop after the last has ended.
  while (running_ > 0) {
    Completion<bool> empty(loop_);
    empty_ = &empty;
    co_await empty;
  }
  closed_ = true;
}

void Scope::ended() {
  if (--running_ == 0 && empty_ != nullptr) std::exchange(empty_, nullptr)->complete(true);
}

}  // namespace toa
