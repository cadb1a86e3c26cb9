#pragma once

#include <cstdint>

#include "base/limits.hpp"
#include "storage/sqlite/connection.hpp"

namespace toa::storage::sqlite {

/// What SQLite chooses among indexes by: how many objects share a value of each. Without it a query
/// by two properties may go through half of all objects, where the other index leads to a few.
/// Taken from a sample, in a transaction of its own; no promise rests on it, so that one that
/// cannot be written is left out.
class Statistics {
 public:
  explicit Statistics(Connection& connection) : connection_(connection) {}

  /// Takes those of indexes that have none.
  void begin();
  /// Objects were made: what is known wears out.
  void made(std::int64_t count) { made_ += count; }
  /// Takes all of them where many objects were made since the last time. Between batches.
  void renew_if_due();

 private:
  void take();

  Connection& connection_;
  std::int64_t made_ = 0;
  std::int64_t due_at_ = limits::statistics_after_objects;
};

}  // namespace toa::storage::sqlite
