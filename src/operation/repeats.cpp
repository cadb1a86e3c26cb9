#include "operation/repeats.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"

namespace toa::operation {

Repeats::~Repeats() {
  require(running_.empty(), "repeats ended while a call was running");
}

Task<Repeats::Seat> Repeats::enter(const Lineage& lineage) {
  const CallKey call = lineage.call;
  auto& running = running_[call];
  if (running.count == 0 || lineage.is_beneath(call)) {
    ++running.count;
    co_return Seat(*this, call);
  }

  Completion<Woken> woken(loop_);
  running.waiting.push_back(&woken);
  // Whoever wakes a waiter takes it out of the queue first; so does its own time.
  const auto timer = loop_.after(longest_, [this, &call, &woken] {
    // A waiter that was just woken is no longer in the queue, which may itself be gone.
    const auto entry = running_.find(call);
    if (entry == running_.end()) return;
    auto& waiting = entry->second.waiting;
    const auto place = std::ranges::find(waiting, &woken);
    if (place == waiting.end()) return;
    waiting.erase(place);
    ++entry->second.count;
    woken.complete(std::nullopt);
  });
  auto first = co_await woken;
  loop_.cancel(timer);
  if (first) co_return Seat(call, std::move(*first));
  co_return Seat(*this, call);
}

void Repeats::leave(const CallKey& call, const std::optional<storage::FirstReply>& left) {
  auto& running = running_.at(call);
  --running.count;
  if (left) {
    for (auto* waiter : std::exchange(running.waiting, {})) waiter->complete(left);
  } else if (running.count == 0 && !running.waiting.empty()) {
    auto* next = running.waiting.front();
    running.waiting.pop_front();
    ++running.count;
    next->complete(std::nullopt);
  }
  if (running.count == 0 && running.waiting.empty()) running_.erase(call);
}

Repeats::Seat::Seat(Seat&& other) noexcept
    : repeats_(std::exchange(other.repeats_, nullptr)),
      call_(std::move(other.call_)),
      first_reply_(std::move(other.first_reply_)),
      left_(std::move(other.left_)) {}

Repeats::Seat::~Seat() {
  if (repeats_ != nullptr) repeats_->leave(call_, left_);
}

}  // namespace toa::operation
