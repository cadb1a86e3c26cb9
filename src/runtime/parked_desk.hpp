#pragma once

#include <deque>
#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "async/completion.hpp"
#include "async/task.hpp"
#include "base/clock.hpp"
#include "delivery/surroundings.hpp"
#include "runtime/parked.hpp"
#include "runtime/parked_view.hpp"
#include "storage/queue.hpp"
#include "storage/storage.hpp"

namespace toa::runtime {

/// Answers operators who ask about parked messages, in a running application as well as over its
/// storage alone. Loop thread.
///
/// Invariants: (1) one page is in memory at a time, whatever is parked; (2) a message goes back or
/// is dropped in one commit that requires it to be parked, so that of two who ask at once one has
/// it and is told so; (3) what nobody would take from the queue stays parked.
class ParkedDesk {
 public:
  /// All outlive the desk.
  struct World {
    storage::Storage& storage;
    storage::Queue& queue;
    Loop& loop;
    /// The storage's own, by which messages fall due.
    const Clock& clock;
    ParkedNames names;
    /// Authors' code, where it runs: what a receiver would ask is known only to it.
    delivery::Application* code = nullptr;
    /// Told of each component of which messages were put back.
    std::function<void(const ComponentId&)> returned;
  };

  explicit ParkedDesk(World world) : world_(std::move(world)) {}

  Task<Result<ParkedPage>> answer(ParkedRequest request);

 private:
  /// What a message would ask: a request; nothing where its receiver does not want it; or why that
  /// is not known.
  using Intended = std::expected<std::optional<Request>, std::string>;

  /// What would come of putting a message back, in a word of `plan`, and why.
  struct Foreseen {
    std::string_view would;
    std::string why = {};
  };

  Task<Result<ParkedPage>> look(ParkedRequest request);
  Task<Result<void>> describe(ParkedAction action, const ParkedMessage& parked, JsonObject& item);
  Task<Result<ParkedPage>> settle(ParkedRequest request);
  Task<Intended> intended(const Message& message);
  Task<Intended> adapted(const Message& message);
  Task<Result<void>> show(const ParkedMessage& parked, JsonObject& item);
  Task<Result<void>> plan(const ParkedMessage& parked, JsonObject& item);
  Task<Result<Foreseen>> foresee(const Message& message);
  Task<Result<std::optional<Json>>> selected(const std::string& endpoint, const Request& request);
  Task<Result<bool>> is_remembered(const std::string& endpoint, Identity identity);

  World world_;
  /// Someone's page is being settled; who waits for that.
  bool busy_ = false;
  std::deque<Completion<bool>*> waiting_;
};

}  // namespace toa::runtime
