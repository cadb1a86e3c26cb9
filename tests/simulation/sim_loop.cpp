#include "simulation/sim_loop.hpp"

#include <utility>

namespace toa::simulation {
namespace {

constexpr std::uint64_t step_ns_max = 20'000;

}  // namespace

bool SimLoop::step() {
  if (ready_.empty()) {
    const auto next = timers_.next();
    if (!next) return false;
    if (*next > time_.steady()) time_.pass(*next - time_.steady());
  }
  ++steps_;
  time_.pass(nanoseconds(random_.below(step_ns_max)));
  const bool due = timers_.next() && *timers_.next() <= time_.steady();
  const auto choices = ready_.size() + (due ? 1 : 0);
  const auto choice = order_ == Order::any ? random_.below(choices) : (due ? ready_.size() : 0);
  if (choice == ready_.size()) {
    (*timers_.take(time_.steady()))();
    return true;
  }
  const auto place = ready_.begin() + static_cast<std::ptrdiff_t>(choice);
  auto callback = std::move(*place);
  ready_.erase(place);
  callback();
  return true;
}

void SimLoop::clear() {
  ready_.clear();
  timers_ = {};
}

void SimWorker::post(Callback work) {
  queue_.push_back(std::move(work));
  if (queue_.size() == 1) run_later();
}

void SimWorker::run_later() {
  const bool slow = random_.below(100) == 0;
  const auto longest = slow ? pace_.slow_max : pace_.usual_max;
  const nanoseconds takes(random_.below(static_cast<std::uint64_t>(longest.count()) + 1));
  loop_.after(takes, [this] {
    queue_.front()();
    queue_.pop_front();
    if (!queue_.empty()) run_later();
  });
}

}  // namespace toa::simulation
