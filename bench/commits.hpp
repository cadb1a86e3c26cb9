#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "spread.hpp"

namespace toa::bench {

/// Operations that were made durable, and how long each commit or, of a storage, each unit took.
struct Committed {
  Spread waits;
  std::size_t operations = 0;
  double seconds = 0;

  double rate() const { return static_cast<double>(operations) / seconds; }
};

/// What the machine can do at best: one thread, SQLite alone, FULL, `group` operations a commit. An
/// operation is the four statements of a `once` transition: SAVEPOINT, the call's record, the
/// object, RELEASE.
Committed commit_bare(const std::string& folder, std::size_t group,
                      std::chrono::milliseconds duration);

/// The same units through SqliteStorage::commit, `group` of them waiting at a time.
Committed commit_units(const std::string& folder, std::size_t group,
                       std::chrono::milliseconds duration);

}  // namespace toa::bench
