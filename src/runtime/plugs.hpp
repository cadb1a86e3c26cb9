#pragma once

#include <functional>
#include <memory>
#include <string>

#include "async/loop.hpp"
#include "base/clock.hpp"
#include "base/fault.hpp"
#include "base/result.hpp"
#include "storage/queue.hpp"
#include "storage/remembered_calls.hpp"
#include "storage/storage.hpp"

namespace toa::runtime {

/// What a storage is opened with. All of it outlives the storage.
struct StorageSite {
  std::string folder;
  Loop& loop;
  Executor& writer;
  Executor& reader;
  Executor& scans;
  const Clock& clock;
  Faults& faults;
  /// How long published records are kept, in seconds.
  std::int64_t outbox_retention_s = 0;
  /// The longest window of a remembered call, in seconds.
  std::int64_t inbox_window_max_s = 0;
  /// Told of a wall clock that jumped ahead and is not followed.
  std::function<void(std::chrono::milliseconds ahead)> on_clock_jump = {};
  /// Told when very many calls are remembered.
  std::function<void(std::size_t calls)> on_many_calls = {};
  /// Whether changes may start from states that are not durable yet.
  bool accepts_early = true;
  /// Whether objects are removed whose time is over (R189): not by who only looks.
  bool removes_expired = true;
};

/// A storage, what reads its queue, its time and its inbox: often one object, which the first
/// member owns.
struct PluggedStorage {
  std::unique_ptr<storage::Storage> storage;
  storage::Queue* queue = nullptr;
  /// The time by which its messages fall due, of the same object.
  const Clock* clock = nullptr;
  /// Its inbox, for operators.
  storage::RememberedCalls* remembered = nullptr;
};

/// What is plugged into a process. The program's own are `standard`; a test plugs in what loses
/// writes or lies.
struct Plugs {
  std::function<Result<PluggedStorage>(const StorageSite&)> open_storage;

  static Plugs standard();
};

}  // namespace toa::runtime
