#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/criteria.hpp"
#include "model/names.hpp"
#include "model/query.hpp"

namespace toa {

/// What a storage is asked for: objects that meet all that is stated here. Of them `sample` at
/// random; those in order of `sort`, then of id; of these without the first `omit`, at most
/// `limit`. `sort` and the paths of `criteria` exist in the entity, and operands have its types.
struct Selection {
  std::optional<std::vector<EntityId>> ids = {};
  /// Typed.
  std::optional<Criteria> criteria = {};
  /// Words for the full-text index.
  std::optional<std::string> search = {};
  std::vector<Sort> sort = {};
  std::int64_t omit = 0;
  std::optional<std::int64_t> limit = {};
  std::optional<std::int64_t> sample = {};
  /// What the sample is drawn by: the same objects for the same number.
  std::uint64_t seed = 0;
  /// Also objects that are marked deleted.
  bool deleted = false;
};

}  // namespace toa
