#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/criteria.hpp"

namespace toa::storage::sqlite {

/// What a path leads to, in SQL: the value, NULL for no value, and its JSON type, empty where the
/// value is a column. An index on a value is used where a query has the same text.
struct Place {
  std::string value;
  std::string type;
  /// Whether the value is a text; of a column.
  bool text_column = false;
};

/// `a.b` as the steps of a path without lists.
std::vector<Step> steps_of(std::string_view path);

/// In the row of an object: a column for a system property, else a part of `properties`.
Result<Place> place_in_row(std::span<const Step> path);

/// In a document that `json` stands for, or nothing.
Result<Place> place_in(std::string_view json, std::span<const Step> path);

/// `'$."a"."b"'`, for the functions of JSON. Refused for a name with a quotation mark, for which
/// SQLite has no path.
Result<std::string> json_path(std::span<const Step> path);

}  // namespace toa::storage::sqlite
