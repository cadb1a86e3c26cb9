#pragma once

#include <functional>
#include <memory>
#include <string>

#include "async/loop.hpp"
#include "base/clock.hpp"
#include "base/fault.hpp"
#include "base/result.hpp"
#include "storage/storage.hpp"

namespace toa::runtime {

/// What a storage is opened with. All of it outlives the storage.
struct StorageSite {
  std::string folder;
  Loop& loop;
  Executor& writer;
  Executor& reader;
  const Clock& clock;
  Faults& faults;
};

/// What is plugged into a process. The program's own are `standard`; a test plugs in what loses
/// writes or lies.
struct Plugs {
  std::function<Result<std::unique_ptr<storage::Storage>>(const StorageSite&)> open_storage;

  static Plugs standard();
};

}  // namespace toa::runtime
