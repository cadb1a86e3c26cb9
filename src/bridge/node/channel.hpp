#pragma once

#include <coroutine>

#include "async/loop.hpp"
#include "async/task.hpp"
#include "bridge/node/descriptor.hpp"
#include "bridge/node/outbox.hpp"

namespace toa::bridge::node {

/// The sending half of a worker's socket. What is added while a frame is on its way travels in the
/// next one.
class Channel {
 public:
  Channel(Loop& loop, Descriptor& socket) : loop_(loop), socket_(socket) {}

  /// To add messages to; they leave by themselves.
  Outbox& send();
  /// Not written yet.
  std::size_t bytes() const { return outbox_.bytes() + unwritten_; }

  /// Writes until the channel is closed or the other end is gone.
  Task<void> write();
  void close();

 private:
  enum class Progress { done, waits, gone };
  Progress write_some(const Outbox::Frame& frame, std::size_t& written);
  Task<bool> write_frame(Outbox::Frame frame);

  Loop& loop_;
  Descriptor& socket_;
  Outbox outbox_;
  std::size_t unwritten_ = 0;
  std::coroutine_handle<> idle_;
  bool closed_ = false;
};

}  // namespace toa::bridge::node
