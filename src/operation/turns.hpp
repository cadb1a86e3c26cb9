#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>

#include "async/completion.hpp"
#include "async/loop.hpp"
#include "async/task.hpp"
#include "operation/lineage.hpp"

namespace toa::operation {

/// Lets transitions that select one object by its id take turns on it, so that they do not run only
/// to lose (D5). A turn is a courtesy: the commit's comparison of versions is what keeps writers
/// apart.
///
/// Invariants: (1) at most one turn on an object is under way; (2) turns are given in the order of
/// asking; (3) every turn ends: by `leave`, by its destructor, or by its time; (4) nothing waits
/// for a turn beneath an invocation that holds the object.
class Turns {
 public:
  class Turn;
  /// How long a turn may last, and whether calls end it.
  enum class Kind { turn, hold };

  explicit Turns(Loop& loop) : loop_(loop) {}
  ~Turns();

  /// Waits for a turn on the object. A hold is a turn that is not ended by the first call of its
  /// run.
  Task<Turn> take(ObjectKey key, const Lineage& lineage, Kind kind);

  std::size_t objects() const { return queues_.size(); }

 private:
  using Ticket = std::uint64_t;
  struct Queue {
    Ticket current = 0;
    // Of most objects nobody waits: an empty list takes no memory.
    std::list<Completion<Ticket>*> waiting;
  };

  void end(const ObjectKey& key, Ticket ticket);

  Loop& loop_;
  std::unordered_map<ObjectKey, Queue> queues_;
  Ticket last_ = 0;
};

class Turns::Turn {
 public:
  /// No turn at all, for what does not queue.
  Turn() = default;
  Turn(Turn&& other) noexcept;
  Turn& operator=(Turn&& other) noexcept;
  ~Turn() { end(); }

  /// Ends it, unless it is a hold.
  void leave();
  void end();

 private:
  friend class Turns;
  Turn(Turns& turns, ObjectKey key, Ticket ticket, Kind kind);

  Turns* turns_ = nullptr;
  ObjectKey key_;
  Ticket ticket_ = 0;
  Kind kind_ = Kind::turn;
  Loop::TimerId timer_ = 0;
};

}  // namespace toa::operation
