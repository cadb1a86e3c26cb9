#include "storage/sqlite/selection_sql.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "storage/sqlite/criteria_sql.hpp"
#include "storage/sqlite/place.hpp"
#include "storage/sqlite/schema.hpp"
#include "storage/sqlite/text_search.hpp"

namespace toa::storage::sqlite {
namespace {

constexpr auto columns = "id, version, created, updated, deleted, region, properties";

/// In as many parameters as the next power of two: few statements serve all lists.
void add_ids(Sql& sql, const std::vector<EntityId>& ids) {
  if (ids.empty()) {
    sql += " AND 0";
    return;
  }
  sql += " AND id IN (";
  const auto places = std::bit_ceil(ids.size());
  for (std::size_t i = 0; i < places; ++i) {
    if (i > 0) sql += ",";
    sql.value(ids[std::min(i, ids.size() - 1)].value);
  }
  sql += ")";
}

Result<void> add_search(Sql& sql, const std::string& search,
                        const std::optional<std::string>& text_index) {
  if (!text_index)
    return fail(ErrorKind::invalid, "search needs a text index, and no migration declares one");
  const auto words = search_words(search);
  if (words.empty()) {
    sql += " AND 0";
    return {};
  }
  sql += fmt::format(" AND rowid IN (SELECT rowid FROM {0} WHERE {0} MATCH ", *text_index);
  sql.value(words);
  sql += ")";
  return {};
}

Result<void> add_order(Sql& sql, const std::vector<Sort>& sort) {
  sql += " ORDER BY ";
  // No two have one id: no key after it matters.
  const auto id = std::ranges::find(sort, "id", &Sort::path);
  for (const auto& key : std::ranges::subrange(sort.begin(), id)) {
    const auto place = place_in_row(steps_of(key.path));
    if (!place) return std::unexpected(place.error());
    sql += place->value;
    sql += key.descending ? " DESC, " : ", ";
  }
  sql += "id";
  if (id != sort.end() && id->descending) sql += " DESC";
  return {};
}

Result<void> add_where(Sql& sql, const Selection& selection,
                       const std::optional<std::string>& text_index) {
  sql += " WHERE ";
  sql += selection.deleted ? "1" : "deleted IS NULL";
  if (selection.ids) add_ids(sql, *selection.ids);
  if (selection.search)
    if (auto added = add_search(sql, *selection.search, text_index); !added) return added;
  if (!selection.criteria) return {};
  sql += " AND ";
  return add_criteria(sql, *selection.criteria);
}

void add_sample(Sql& sql, const Selection& selection) {
  sql += " ORDER BY shuffled_place(id, ";
  sql.value(std::bit_cast<std::int64_t>(selection.seed));
  sql += "), id LIMIT ";
  sql.value(*selection.sample);
}

void add_page(Sql& sql, const Selection& selection) {
  if (!selection.limit && selection.omit == 0) return;
  sql += " LIMIT ";
  sql.value(selection.limit.value_or(-1));
  if (selection.omit == 0) return;
  sql += " OFFSET ";
  sql.value(selection.omit);
}

}  // namespace

bool is_ordered(const Selection& selection) {
  return !selection.sort.empty() || selection.omit > 0;
}

Result<Sql> select_objects(const ComponentId& component, const Selection& selection,
                           const std::optional<std::string>& text_index) {
  Sql sql;
  sql += fmt::format("SELECT {} FROM ", columns);
  if (selection.sample) sql += fmt::format("(SELECT {} FROM ", columns);
  sql += object_table(component);
  if (auto added = add_where(sql, selection, text_index); !added)
    return std::unexpected(added.error());
  if (selection.sample) {
    add_sample(sql, selection);
    sql += ")";
  }
  if (is_ordered(selection))
    if (auto added = add_order(sql, selection.sort); !added) return std::unexpected(added.error());
  add_page(sql, selection);
  return sql;
}

}  // namespace toa::storage::sqlite
