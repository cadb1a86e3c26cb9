#pragma once

#include <string>

#include "async/task.hpp"
#include "model/reply.hpp"
#include "model/request.hpp"

namespace toa::gateway {

/// The operations of the application, as the gateway reaches them. Loop thread.
class Calls {
 public:
  virtual ~Calls() = default;
  virtual Task<Reply> call(Call call) = 0;
};

}  // namespace toa::gateway
