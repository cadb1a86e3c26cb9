#include "async/asio_loop.hpp"

#include <boost/asio/post.hpp>

namespace toa {

using std::chrono::steady_clock;

AsioLoop::AsioLoop() : work_(boost::asio::make_work_guard(context_)), timer_(context_) {}

void AsioLoop::run() {
  context_.run();
}

void AsioLoop::post(Callback callback) {
  boost::asio::post(context_, std::move(callback));
}

void AsioLoop::resume_soon(std::coroutine_handle<> waiting) {
  ready_.push_back(waiting);
  if (resuming_) return;
  resuming_ = true;
  boost::asio::post(context_, [this] { resume_ready(); });
}

void AsioLoop::resume_ready() {
  resuming_ = false;
  const auto ready = std::exchange(ready_, {});
  for (const auto waiting : ready) waiting.resume();
}

Loop::TimerId AsioLoop::after(std::chrono::milliseconds delay, Callback callback) {
  const auto id = timers_.add(steady_clock::now().time_since_epoch() + delay, std::move(callback));
  arm();
  return id;
}

void AsioLoop::arm() {
  const auto next = timers_.next();
  if (!next) return;
  const steady_clock::time_point due{std::chrono::duration_cast<steady_clock::duration>(*next)};
  if (timer_.expiry() == due) return;
  timer_.expires_at(due);
  timer_.async_wait([this](const boost::system::error_code& ec) {
    if (!ec) fire();
  });
}

void AsioLoop::fire() {
  while (auto callback = timers_.take(steady_clock::now().time_since_epoch())) (*callback)();
  arm();
}

}  // namespace toa
