#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/migration.hpp"
#include "model/names.hpp"

namespace toa::storage::sqlite {

/// An index as it stands in the file: it is known by a number, whatever its author calls it.
struct IndexSql {
  std::vector<std::string> create;
  /// The same for two indexes of one shape, whatever their numbers.
  std::string shape;
  /// Of a ttl index: a condition that holds for objects whose moment is at or before ?1, in
  /// milliseconds.
  std::optional<std::string> expired = {};
};

/// `invalid` for a shape that SQLite cannot keep.
Result<IndexSql> index_sql(const ComponentId& component, std::int64_t number, const Index& index);

/// What removes it.
std::vector<std::string> drop_index_sql(std::int64_t number);

/// The table that serves `search`.
std::string text_table(std::int64_t number);

/// The number in SQLite's message about an index whose uniqueness was violated.
std::optional<std::int64_t> clashing_index(const std::string& message);

}  // namespace toa::storage::sqlite
