#include "operation/turns.hpp"

#include <utility>

#include "base/assert.hpp"
#include "base/limits.hpp"

namespace toa::operation {

Turns::~Turns() {
  require(queues_.empty(), "turns ended while an object was in turn");
}

Task<Turns::Turn> Turns::take(ObjectKey key, const Lineage& lineage, Kind kind) {
  if (lineage.is_beneath_holder_of(key)) co_return Turn();
  auto& queue = queues_[key];
  Ticket ticket = 0;
  if (queue.current == 0) {
    ticket = queue.current = ++last_;
  } else {
    Completion<Ticket> given(loop_);
    queue.waiting.push_back(&given);
    ticket = co_await given;
  }
  co_return Turn(*this, std::move(key), ticket, kind);
}

void Turns::end(const ObjectKey& key, Ticket ticket) {
  const auto found = queues_.find(key);
  if (found == queues_.end() || found->second.current != ticket) return;
  auto& queue = found->second;
  if (queue.waiting.empty()) {
    queues_.erase(found);
    return;
  }
  auto* next = queue.waiting.front();
  queue.waiting.pop_front();
  queue.current = ++last_;
  next->complete(queue.current);
}

Turns::Turn::Turn(Turns& turns, ObjectKey key, Ticket ticket, Kind kind)
    : turns_(&turns), key_(std::move(key)), ticket_(ticket), kind_(kind) {
  const auto lasts = kind == Kind::hold ? limits::hold_max : limits::turn_max;
  // The timer names the turn by value: a Turn moves.
  timer_ = turns.loop_.after(
      lasts, [owner = turns_, object = key_, ticket] { owner->end(object, ticket); });
}

Turns::Turn::Turn(Turn&& other) noexcept
    : turns_(std::exchange(other.turns_, nullptr)),
      key_(std::move(other.key_)),
      ticket_(other.ticket_),
      kind_(other.kind_),
      timer_(other.timer_) {}

Turns::Turn& Turns::Turn::operator=(Turn&& other) noexcept {
  if (this == &other) return *this;
  end();
  turns_ = std::exchange(other.turns_, nullptr);
  key_ = std::move(other.key_);
  ticket_ = other.ticket_;
  kind_ = other.kind_;
  timer_ = other.timer_;
  return *this;
}

void Turns::Turn::leave() {
  if (kind_ == Kind::turn) end();
}

void Turns::Turn::end() {
  if (turns_ == nullptr) return;
  auto* owner = std::exchange(turns_, nullptr);
  owner->loop_.cancel(timer_);
  owner->end(key_, ticket_);
}

}  // namespace toa::operation
