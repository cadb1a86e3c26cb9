#pragma once

#include "async/task.hpp"
#include "base/result.hpp"
#include "model/message.hpp"
#include "model/request.hpp"

namespace toa::operation {

/// What leaves operations for others to handle later. Loop thread.
class Outgoing {
 public:
  virtual ~Outgoing() = default;

  /// The change is durable together with its record; its events can be made.
  virtual void stored(Record record) = 0;

  /// Puts a task into the queue of the called component. Durable when it returns (R63).
  virtual Task<Result<void>> hand_over(Call task) = 0;
};

}  // namespace toa::operation
