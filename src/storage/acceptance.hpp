#pragma once

#include <memory>
#include <vector>

#include "async/completion.hpp"
#include "async/task.hpp"

namespace toa::storage {

/// What becomes of a unit on whose state others may build before it is durable (D5). It is made and
/// settled by the storage, and shared with all who saw the state. Loop thread.
class Acceptance {
 public:
  explicit Acceptance(Loop& loop) : loop_(loop) {}
  Acceptance(const Acceptance&) = delete;
  Acceptance& operator=(const Acceptance&) = delete;

  bool is_pending() const { return fate_ == Fate::pending; }
  bool is_stored() const { return fate_ == Fate::stored; }
  bool is_rejected() const { return fate_ == Fate::rejected; }

  /// Waits until the fate is known; whether the state is durable now. Whoever waits holds a share.
  Task<bool> stored() {
    if (is_pending()) {
      Completion<bool> known(loop_);
      waiting_.push_back(&known);
      co_await known;
    }
    co_return is_stored();
  }

  /// Its place among the units that the storage writes together; the storage's own.
  std::size_t place() const { return place_; }
  void place(std::size_t place) { place_ = place; }

  void settle(bool stored) {
    fate_ = stored ? Fate::stored : Fate::rejected;
    for (auto* waiter : std::exchange(waiting_, {})) waiter->complete(true);
  }

 private:
  enum class Fate { pending, stored, rejected };

  Loop& loop_;
  Fate fate_ = Fate::pending;
  std::size_t place_ = 0;
  std::vector<Completion<bool>*> waiting_;
};

/// Nothing for a state that is durable.
using Accepted = std::shared_ptr<Acceptance>;

}  // namespace toa::storage
