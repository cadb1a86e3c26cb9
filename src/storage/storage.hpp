#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "model/identity.hpp"
#include "model/names.hpp"
#include "model/selection.hpp"
#include "storage/collection.hpp"
#include "storage/unit.hpp"

namespace toa::storage {

/// The state that the next change of an object starts from.
struct Head {
  std::optional<Object> object;
  /// The unit that made it, where it is not durable yet.
  Accepted made_by = {};
};

/// What a storage can promise; a component that needs more does not start (D2).
struct Capabilities {
  std::string name;
  /// State and remembered calls in one commit: what `once` needs.
  bool atomic_commit = false;
  /// Indexes, and changes to what is stored (R190).
  bool migrations = false;
};

/// Keeps objects and remembered calls. Used on the loop's thread; each task resumes there. The
/// owner outlives all tasks.
///
/// Failures are `unavailable` (nothing was changed, e.g. no space), or `broken` (damaged data). An
/// outcome that cannot be known ends the process: no task returns it.
class Storage {
 public:
  virtual ~Storage() = default;

  virtual const Capabilities& capabilities() const = 0;

  /// Makes room for the objects of these components and applies what of their migrations was not
  /// yet (R183); done once, before anything else. `invalid` where a migration cannot be applied.
  virtual Task<Result<void>> prepare(std::vector<Collection> collections) = 0;

  /// The first reply to this call, if it is remembered and has not expired.
  virtual Task<Result<std::optional<FirstReply>>> recall(std::string endpoint,
                                                         Identity identity) = 0;

  /// The last durable state of an object, deleted or not.
  virtual Task<Result<std::optional<Object>>> load(ComponentId component, EntityId id) = 0;

  /// The last accepted state of an object, which may not be durable yet: nothing that was computed
  /// from it may be told before it is. Storages that accept nothing early answer as `load` does.
  virtual Task<Result<Head>> head(ComponentId component, EntityId id) {
    auto loaded = co_await load(std::move(component), std::move(id));
    if (!loaded) co_return std::unexpected(std::move(loaded.error()));
    co_return Head{std::move(*loaded)};
  }

  /// Durable objects of a component that meet the selection, in its order. Without a `sort`, which
  /// of them a `limit` leaves is the storage's choice. `invalid` where the answer is larger than
  /// limits.hpp allows, takes too long, or nothing serves `search`.
  virtual Task<Result<std::vector<Object>>> find(ComponentId component, Selection selection) = 0;

  /// The rows of a query in the storage's own language, as the JSON text of a list of maps. It
  /// reads the objects of this component and nothing else; in SQL they are the view `objects`.
  /// `invalid` for what it refuses, is larger than limits.hpp allows, or takes too long.
  virtual Task<Result<std::string>> query(ComponentId component, std::string text,
                                          JsonArray values) = 0;

  /// Stores the unit, or nothing of it. Returns when the outcome is durable.
  virtual Task<Result<Commit>> commit(Unit unit) = 0;

  /// Flushes and lets go of what is held. Nothing may be called after it.
  virtual Task<void> close() = 0;
};

}  // namespace toa::storage
