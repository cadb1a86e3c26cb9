#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "model/names.hpp"
#include "model/selection.hpp"
#include "storage/sqlite/sql.hpp"

namespace toa::storage::sqlite {

/// The statement that finds a selection's objects: id, version, created, updated, deleted, region,
/// properties. `text_index` is the table that serves `search`. In the selection's order only where
/// `is_ordered`.
Result<Sql> select_objects(const ComponentId& component, const Selection& selection,
                           const std::optional<std::string>& text_index);

/// Whether SQLite sorts. Where there is no order but that of ids, an index may give its first
/// objects without looking at all others, and the caller sorts what came.
bool is_ordered(const Selection& selection);

}  // namespace toa::storage::sqlite
