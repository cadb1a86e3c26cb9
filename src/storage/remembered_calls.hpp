#pragma once

#include <string>
#include <vector>

#include "async/task.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "model/identity.hpp"
#include "storage/unit.hpp"

namespace toa::storage {

/// A call that is remembered: a repeat of it is answered with `first`.
struct RememberedCall {
  std::string endpoint;
  /// Until when, in milliseconds since the epoch.
  EpochMs expires = 0;
  /// A message of its chain waits or is parked, so that it is remembered for longer (D6).
  bool kept = false;
  FirstReply first = {};
};

/// What a storage remembers, for those who look into it. Loop thread; as long as its storage is
/// open.
class RememberedCalls {
 public:
  virtual ~RememberedCalls() = default;

  /// The calls with this identity, one for each operation that it was made of, by their endpoints.
  virtual Task<Result<std::vector<RememberedCall>>> remembered(Identity identity) = 0;
};

}  // namespace toa::storage
