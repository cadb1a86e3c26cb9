#pragma once

#include "base/result.hpp"
#include "model/criteria.hpp"
#include "storage/sqlite/sql.hpp"

namespace toa::storage::sqlite {

/// Adds the condition that typed criteria put on the row of an object: true where `matches` is, and
/// never NULL where it is negated. `invalid` for a path that SQLite cannot follow; where values are
/// literal, also for one through a list.
Result<void> add_criteria(Sql& sql, const Criteria& criteria);

}  // namespace toa::storage::sqlite
