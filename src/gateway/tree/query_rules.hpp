#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "manifest/application.hpp"
#include "manifest/section.hpp"

namespace toa::gateway {

/// What a method says of `limit` or `omit`: a constant that no client changes, or a range with a
/// value for who states none.
struct Bound {
  std::int64_t value = 0;
  std::int64_t min = 0;
  std::int64_t max = 0;
  bool constant = false;
};

/// The `query` of a method (G76): what of a query string it takes, and what it adds.
struct QueryRules {
  /// Without the `;` that opens or the comma that joins.
  std::string criteria = {};
  bool criteria_open = true;
  /// The variables of the route are alternatives to the criteria rather than conditions on them
  /// (G75).
  bool criteria_or = false;
  std::vector<std::string> sort = {};
  bool sort_open = true;
  Bound limit{.value = 10, .min = 1, .max = 100};
  Bound omit{.value = 0, .min = 0, .max = 1000};
  bool search = false;
  std::optional<std::vector<std::string>> projection = {};
  std::optional<std::vector<std::string>> parameters = {};
};

/// Reads the key `query` of a method; reports what is wrong with it.
QueryRules read_query_rules(const manifest::Section& declared,
                            const manifest::Operation* operation);

/// `a:desc;b` as its parts.
std::vector<std::string> split_sort(std::string_view text);

/// Whether requests may select what the operation works on (G48).
bool takes_query(const manifest::Operation& operation);
/// Whether it works on many objects: `limit` and `omit` are for it (G64).
bool takes_many(const manifest::Operation& operation);

}  // namespace toa::gateway
