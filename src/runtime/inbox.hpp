#pragma once

#include "async/task.hpp"
#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "manifest/application.hpp"
#include "model/identity.hpp"
#include "storage/remembered_calls.hpp"

namespace toa::runtime {

/// What the inbox has under one identity.
struct InboxAnswer {
  /// For each operation that was called with it, an object with `id`, `endpoint`, `recorded`,
  /// `expires`, `kept` and `reply` (docs/formats/control.md).
  JsonArray calls;
  /// The application's time.
  EpochMs now = 0;
};

/// Looks into the inbox. `application` tells how long each operation remembers its calls, by which
/// it is known when one was recorded. All outlive the task.
Task<Result<InboxAnswer>> look_into_inbox(storage::RememberedCalls& inbox,
                                          const manifest::Application& application,
                                          const Clock& clock, Identity identity);

/// As they travel over the control socket: the members beside `n` and `do`.
JsonObject print_inbox_request(Identity identity);
/// Refuses what is no such request, naming the property.
Result<Identity> read_inbox_request(const Json& message);
JsonObject print(InboxAnswer answer);
Result<InboxAnswer> read_inbox_answer(Json message);

}  // namespace toa::runtime
