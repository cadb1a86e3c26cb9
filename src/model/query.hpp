#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "model/names.hpp"

namespace toa {

/// One key of an order: `due`, `due:asc`, `terms.due:desc`.
struct Sort {
  std::string path;
  bool descending = false;

  static Result<Sort> parse(std::string_view text);
  std::string print() const;

  friend bool operator==(const Sort&, const Sort&) = default;
};

/// What a request selects (spec core 6.3), as its caller wrote it.
struct Query {
  std::optional<EntityId> id = {};
  std::optional<std::vector<EntityId>> ids = {};
  std::optional<std::string> criteria = {};  // RSQL
  std::optional<std::string> search = {};
  std::optional<std::vector<Sort>> sort = {};
  std::optional<std::int64_t> omit = {};
  std::optional<std::int64_t> limit = {};
  std::optional<std::int64_t> sample = {};
  std::optional<Version> version = {};
  std::optional<std::vector<std::string>> projection = {};
  /// Also objects that are marked deleted.
  bool deleted = false;

  /// Refuses what is not a query, with a sentence that names the property.
  static Result<Query> read(const Json& value);
  /// What `read` reads as this query.
  Json print() const;

  friend bool operator==(const Query&, const Query&) = default;
};

}  // namespace toa
