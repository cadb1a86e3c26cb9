#include "storage/sqlite/reader.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "base/limits.hpp"
#include "storage/shuffle.hpp"
#include "storage/sqlite/index_sql.hpp"
#include "storage/sqlite/schema.hpp"
#include "storage/sqlite/selection_sql.hpp"
#include "storage/sqlite/trouble.hpp"
#include "storage/sqlite/watch.hpp"

namespace toa::storage::sqlite {

namespace {

void shuffle(sqlite3_context* context, int, sqlite3_value** values) {
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(values[0]));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
  const auto seed = std::bit_cast<std::uint64_t>(sqlite3_value_int64(values[1]));
  const std::string_view id = bytes ? std::string_view(bytes, size) : std::string_view();
  sqlite3_result_int64(context, shuffled_place(id, seed));
}

Object object_at(const Run& run) {
  return {.id = EntityId(run.text_at(0)),
          .version = Version(run.integer_at(1)),
          .created = run.integer_at(2),
          .updated = run.integer_at(3),
          .deleted = run.optional_integer_at(4),
          .region = static_cast<int>(run.integer_at(5)),
          .properties = run.text_at(6)};
}

std::unexpected<Error> too_large() {
  return fail(ErrorKind::invalid,
              fmt::format("the objects selected are larger than {} MB together: state a limit, or "
                          "a lower one",
                          limits::find_bytes_max >> 20));
}

std::unexpected<Error> too_long() {
  return fail(
      ErrorKind::invalid,
      fmt::format("the query took longer than {} s: add an index for its criteria and order "
                  "in a migration",
                  limits::find_time_max.count() / 1'000));
}

}  // namespace

Reader::Reader(Connection connection)
    : connection_(std::move(connection)),
      queue_(connection_),
      inbox_(connection_),
      finds_(connection_, limits::find_statements_max) {
  sqlite3_create_function_v2(connection_.get(), "shuffled_place", 2, SQLITE_UTF8, nullptr, shuffle,
                             nullptr, nullptr, nullptr);
  begin_ = connection_.prepare("BEGIN");
  end_ = connection_.prepare("COMMIT");
}

Result<std::unique_ptr<Reader>> Reader::open(std::string file, const std::string& vfs) {
  auto connection = Connection::open(file, vfs, Access::read_only);
  if (!connection) return std::unexpected(connection.error());
  if (auto ready = set_up_reader(*connection); !ready) return std::unexpected(ready.error());
  try {
    return std::unique_ptr<Reader>(new Reader(std::move(*connection)));
  } catch (const Failed& failed) {
    return std::unexpected(trouble(file, failed.code, 0));
  }
}

Result<std::optional<Object>> Reader::load(const ComponentId& component, const EntityId& id) {
  try {
    Run run(objects(component));
    if (!run.text(id.value).row()) return std::nullopt;
    return Object{.id = id,
                  .version = Version(run.integer_at(0)),
                  .created = run.integer_at(1),
                  .updated = run.integer_at(2),
                  .deleted = run.optional_integer_at(3),
                  .region = static_cast<int>(run.integer_at(4)),
                  .properties = run.text_at(5)};
  } catch (const Failed& failed) {
    return std::unexpected(connection_.describe(failed));
  }
}

Result<std::vector<Object>> Reader::find(const ComponentId& component, const Selection& selection,
                                         const Clock& clock) {
  try {
    const auto table = selection.search ? text_index(component) : std::nullopt;
    const auto sql = select_objects(component, selection, table);
    if (!sql) return std::unexpected(sql.error());
    const Watch watch(connection_, clock, limits::find_time_max);
    auto objects = found(sql->text(), sql->values());
    if (objects && !is_ordered(selection)) std::ranges::sort(*objects, {}, &Object::id);
    return objects;
  } catch (const Failed& failed) {
    if (failed.code == SQLITE_INTERRUPT) return too_long();
    if (failed.code == SQLITE_TOOBIG)
      return fail(ErrorKind::invalid, "the criteria are too long: state fewer conditions");
    return std::unexpected(connection_.describe(failed));
  }
}

Result<std::vector<Object>> Reader::found(const std::string& sql,
                                          const std::vector<Bound>& values) {
  Run run(finds_.get(sql));
  run.all(values);
  std::vector<Object> objects;
  std::size_t bytes = 0;
  while (run.row()) {
    objects.push_back(object_at(run));
    bytes += objects.back().properties.size();
    if (bytes > limits::find_bytes_max) return too_large();
  }
  return objects;
}

std::optional<std::string> Reader::text_index(const ComponentId& component) {
  Run run(finds_.get("SELECT number FROM indexes WHERE component = ? AND text ORDER BY number"));
  if (!run.text(component.value).row()) return std::nullopt;
  return text_table(run.integer_at(0));
}

void Reader::step(const Statement& statement) {
  sqlite3_step(statement.get());
  sqlite3_reset(statement.get());
}

const Statement& Reader::objects(const ComponentId& component) {
  const auto known = objects_.find(component.value);
  if (known != objects_.end()) return known->second;
  auto statement = connection_.prepare(
      fmt::format("SELECT version, created, updated, deleted, region, properties FROM {} "
                  "WHERE id = ?",
                  object_table(component)));
  return objects_.emplace(component.value, std::move(statement)).first->second;
}

}  // namespace toa::storage::sqlite
