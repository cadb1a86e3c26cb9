#pragma once

#include "async/task.hpp"
#include "gateway/directive.hpp"

namespace toa::gateway {

/// A method that the gateway answers itself, without an operation of the application. It lives as
/// long as the tree. Loop thread.
class Native {
 public:
  virtual ~Native() = default;

  /// Who asks is admitted and the body is read. Sets status and output of the exchange, or refuses.
  virtual Task<Verdict> serve(Exchange& exchange) = 0;
};

}  // namespace toa::gateway
