#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <coroutine>
#include <vector>

#include "async/loop.hpp"
#include "async/timer_queue.hpp"

namespace toa {

/// The real loop: an Asio context run by one thread. Sockets are made on `context()`.
class AsioLoop final : public Loop {
 public:
  AsioLoop();

  boost::asio::io_context& context() { return context_; }
  /// Runs on the calling thread until `stop`.
  void run();
  /// Thread-safe.
  void stop() { context_.stop(); }

  void post(Callback callback) override;
  void resume_soon(std::coroutine_handle<> waiting) override;
  TimerId after(std::chrono::milliseconds delay, Callback callback) override;
  void cancel(TimerId timer) override { timers_.cancel(timer); }

 private:
  void resume_ready();
  void arm();
  void fire();

  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer timer_;
  TimerQueue timers_;
  std::vector<std::coroutine_handle<>> ready_;
  bool resuming_ = false;
};

}  // namespace toa
