#pragma once

#include <expected>
#include <optional>

#include "async/loop.hpp"
#include "async/task.hpp"
#include "base/clock.hpp"
#include "base/document.hpp"
#include "base/fault.hpp"
#include "delivery/steps/ladder.hpp"
#include "manifest/application.hpp"
#include "model/message.hpp"
#include "model/reply.hpp"
#include "storage/queue.hpp"
#include "storage/storage.hpp"
#include "telemetry/log.hpp"

namespace toa::delivery {

/// What delivery asks of authors' code and of operations, which it does not know. Loop thread.
class Application {
 public:
  virtual ~Application() = default;

  /// The payloads of the component's events with code whose condition holds for the change, by
  /// name.
  virtual Task<std::expected<JsonObject, Exception>> evaluate(const manifest::Component& component,
                                                              const Record& record) = 0;

  /// The request that a receiver makes of a payload; nothing where its condition does not hold.
  virtual Task<std::expected<std::optional<Request>, Exception>> adapt(
      const manifest::Component& component, const manifest::Receiver& receiver,
      Document payload) = 0;

  virtual Task<Reply> serve(Call call) = 0;
};

/// Whether a backlog is served, or only what this process makes: `toa call` without a running
/// application serves what its call caused and nothing else.
enum class Serves { everything, own };

/// Everything that delivery is given from outside. All of it outlives it.
struct World {
  const manifest::Application& application;
  Application& code;
  storage::Storage& storage;
  storage::Queue& queue;
  Loop& loop;
  /// The storage's own, which never runs backwards: by the wall clock, a message made while that
  /// was wrongly ahead would wait until it is there again.
  const Clock& clock;
  Faults& faults;
  telemetry::Log& log;
  Ladder ladder = {};
  Serves serves = Serves::everything;
};

}  // namespace toa::delivery
