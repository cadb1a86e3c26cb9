#include "storage/sqlite/index_sql.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "storage/sqlite/criteria_sql.hpp"
#include "storage/sqlite/place.hpp"
#include "storage/sqlite/schema.hpp"

namespace toa::storage::sqlite {
namespace {

using Texts = std::vector<std::string>;

std::string index_name(std::int64_t number) {
  return fmt::format("index_{}", number);
}

/// Where some key has no value: these are kept apart as values are, which SQLite does not do.
std::string valueless_name(std::int64_t number) {
  return fmt::format("index_{}_valueless", number);
}

bool is_text(const Index& index) {
  return std::ranges::any_of(index.keys,
                             [](const auto& key) { return key.kind == Index::Kind::text; });
}

Result<std::vector<Place>> places_of(const Index& index) {
  std::vector<Place> places;
  for (const auto& key : index.keys) {
    auto place = place_in_row(steps_of(key.path));
    if (!place) return std::unexpected(place.error());
    places.push_back(*std::move(place));
  }
  return places;
}

Texts values_of(const std::vector<Place>& places) {
  Texts values;
  for (const auto& place : places) values.push_back(place.value);
  return values;
}

Result<Texts> conditions_of(const Index& index, const Texts& values) {
  Texts conditions;
  if (index.sparse)
    conditions.push_back(fmt::format("({} IS NOT NULL)", fmt::join(values, " IS NOT NULL OR ")));
  if (!index.partial) return conditions;
  Sql sql(Sql::Values::literal);
  if (auto added = add_criteria(sql, *index.partial); !added) return std::unexpected(added.error());
  conditions.push_back(sql.text());
  return conditions;
}

std::string where(const Texts& conditions) {
  return conditions.empty() ? std::string()
                            : fmt::format(" WHERE {}", fmt::join(conditions, " AND "));
}

Texts keys_of(const Index& index, const std::vector<Place>& places) {
  Texts keys;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool descending = index.keys[i].kind == Index::Kind::descending;
    keys.push_back(places[i].value + (descending ? " DESC" : ""));
  }
  const bool columns_alone =
      std::ranges::all_of(places, [](const Place& place) { return place.type.empty(); });
  // SQLite names the index that was violated only where a key of it is an expression.
  if (index.unique && columns_alone) keys.front() = "+" + keys.front();
  // Pages are in the order of the keys, then of the ids: so is the index.
  if (!index.unique) keys.emplace_back("id");
  return keys;
}

std::string valueless_index(std::int64_t number, const std::string& table, const Texts& values,
                            Texts conditions) {
  Texts keys;
  // No value of JSON is a blob.
  for (const auto& value : values) keys.push_back(fmt::format("coalesce({}, x'00')", value));
  conditions.push_back(fmt::format("({} IS NULL)", fmt::join(values, " IS NULL OR ")));
  return fmt::format("CREATE UNIQUE INDEX {} ON {} ({}){}", valueless_name(number), table,
                     fmt::join(keys, ", "), where(conditions));
}

std::string expired_sql(const Place& place, const Texts& conditions) {
  const auto number = place.type.empty()
                          ? std::string()
                          : fmt::format(" AND {} IN ('integer', 'real')", place.type);
  // The texts are compared first, which an index serves; then as the moments that they mean.
  constexpr std::string_view until = "strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch')";
  const auto text = fmt::format("{0} >= '' AND {0} <= {1} AND julianday({0}) <= julianday({1})",
                                place.value, until);
  const auto due = place.type.empty()
                       ? fmt::format("{} <= ?1", place.value)
                       : fmt::format("(({} <= ?1{}) OR ({}))", place.value, number, text);
  return conditions.empty() ? due : fmt::format("{} AND {}", due, fmt::join(conditions, " AND "));
}

Result<IndexSql> plain_index(const std::string& table, std::int64_t number, const Index& index) {
  const auto places = places_of(index);
  if (!places) return std::unexpected(places.error());
  const auto values = values_of(*places);
  const auto conditions = conditions_of(index, values);
  if (!conditions) return std::unexpected(conditions.error());
  const auto keys =
      fmt::format("({}){}", fmt::join(keys_of(index, *places), ", "), where(*conditions));
  IndexSql made{.create = {}, .shape = index.unique ? "unique " + keys : keys};
  made.create.push_back(fmt::format("CREATE {}INDEX {} ON {} {}", index.unique ? "UNIQUE " : "",
                                    index_name(number), table, keys));
  if (index.unique) made.create.push_back(valueless_index(number, table, values, *conditions));
  if (index.ttl) {
    made.shape += fmt::format(" ttl {}", *index.ttl);
    made.expired = expired_sql(places->front(), *conditions);
  }
  return made;
}

/// The texts of a row, as the index has them; `row` is empty, `old.` or `new.`.
Result<Texts> texts_of(const Index& index, std::string_view row) {
  Texts texts;
  for (const auto& key : index.keys) {
    if (key.kind != Index::Kind::text) continue;
    const auto place = place_in(fmt::format("{}properties", row), steps_of(key.path));
    if (!place) return std::unexpected(place.error());
    texts.push_back(place->value);
  }
  return texts;
}

Result<IndexSql> text_index(const std::string& table, std::int64_t number, const Index& index) {
  const auto stored = texts_of(index, "");
  if (!stored) return std::unexpected(stored.error());
  const auto before = texts_of(index, "old.").value();
  const auto after = texts_of(index, "new.").value();
  Texts columns;
  Texts changes;
  for (std::size_t i = 0; i < stored->size(); ++i) {
    columns.push_back(fmt::format("c{}", i));
    changes.push_back(fmt::format("{} IS NOT {}", before[i], after[i]));
  }
  const auto text = text_table(number);
  const auto listed = fmt::format("{}", fmt::join(columns, ", "));
  const auto add = fmt::format("INSERT INTO {} (rowid, {}) VALUES (new.rowid, {});", text, listed,
                               fmt::join(after, ", "));
  const auto remove =
      fmt::format("INSERT INTO {0} ({0}, rowid, {1}) VALUES ('delete', old.rowid, {2});", text,
                  listed, fmt::join(before, ", "));
  return IndexSql{
      .create = {fmt::format("CREATE VIRTUAL TABLE {} USING fts5({}, content='',"
                             " tokenize='porter unicode61')",
                             text, listed),
                 fmt::format("CREATE TRIGGER {}_insert AFTER INSERT ON {} BEGIN {} END", text,
                             table, add),
                 fmt::format("CREATE TRIGGER {}_delete AFTER DELETE ON {} BEGIN {} END", text,
                             table, remove),
                 fmt::format("CREATE TRIGGER {}_update AFTER UPDATE OF properties ON {} WHEN {}"
                             " BEGIN {} {} END",
                             text, table, fmt::join(changes, " OR "), remove, add),
                 fmt::format("INSERT INTO {} (rowid, {}) SELECT rowid, {} FROM {}", text, listed,
                             fmt::join(*stored, ", "), table)},
      .shape = fmt::format("text {}", fmt::join(*stored, ", "))};
}

}  // namespace

std::string text_table(std::int64_t number) {
  return fmt::format("text_{}", number);
}

Result<IndexSql> index_sql(const ComponentId& component, std::int64_t number, const Index& index) {
  const auto table = object_table(component);
  return is_text(index) ? text_index(table, number, index) : plain_index(table, number, index);
}

std::vector<std::string> drop_index_sql(std::int64_t number) {
  const auto text = text_table(number);
  return {fmt::format("DROP INDEX IF EXISTS {}", index_name(number)),
          fmt::format("DROP INDEX IF EXISTS {}", valueless_name(number)),
          fmt::format("DROP TRIGGER IF EXISTS {}_insert", text),
          fmt::format("DROP TRIGGER IF EXISTS {}_delete", text),
          fmt::format("DROP TRIGGER IF EXISTS {}_update", text),
          fmt::format("DROP TABLE IF EXISTS {}", text)};
}

std::optional<std::int64_t> clashing_index(const std::string& message) {
  constexpr std::string_view before = "index 'index_";
  const auto found = message.find(before);
  if (found == std::string::npos) return std::nullopt;
  std::int64_t number = 0;
  const auto* begin = message.data() + found + before.size();
  const auto read = std::from_chars(begin, message.data() + message.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  return number;
}

}  // namespace toa::storage::sqlite
