#include "storage/sqlite/migrator.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "storage/sqlite/change_properties.hpp"
#include "storage/sqlite/criteria_sql.hpp"
#include "storage/sqlite/index_sql.hpp"
#include "storage/sqlite/schema.hpp"

namespace toa::storage::sqlite {
namespace {

/// ` WHERE …`, and nothing where all objects are meant.
Result<Sql> filtered(std::string text, const std::optional<Criteria>& filter) {
  Sql sql;
  sql += text;
  if (!filter) return sql;
  sql += " AND ";
  if (auto added = add_criteria(sql, *filter); !added) return std::unexpected(added.error());
  return sql;
}

bool is_clash(const Failed& failed) {
  return failed.code == SQLITE_CONSTRAINT_UNIQUE;
}

}  // namespace

Result<void> Migrator::apply(const Collection& collection, EpochMs now) {
  for (const auto& migration : collection.migrations) {
    if (is_applied(collection.component, migration.id)) continue;
    auto applied = apply(collection.component, migration, now);
    if (!applied)
      return fail(applied.error().kind,
                  refused(collection.component, migration.id, applied.error().message));
  }
  return {};
}

Result<void> Migrator::apply(const ComponentId& component, const Migration& migration,
                             EpochMs now) {
  connection_.run("BEGIN IMMEDIATE");
  try {
    for (const auto& one : migration.steps) {
      auto done = std::visit([&](const auto& known) { return step(component, known); }, one);
      if (done) continue;
      connection_.run("ROLLBACK");
      return done;
    }
    record(component, migration.id, now);
    if (faults_.reach("migration.written") == Faults::Verdict::fail) {
      connection_.run("ROLLBACK");
      return fail(ErrorKind::unavailable, "TOA_FAULT made it fail");
    }
    connection_.run("COMMIT");
    return {};
  } catch (const Failed& failed) {
    const bool clash = is_clash(failed);
    const std::string message = sqlite3_errmsg(connection_.get());
    if (connection_.in_transaction()) connection_.run("ROLLBACK");
    if (!clash) throw;
    return fail(ErrorKind::invalid, "objects would clash in a unique index: " + message);
  }
}

bool Migrator::is_applied(const ComponentId& component, const std::string& id) {
  const auto statement =
      connection_.prepare("SELECT 1 FROM migrations WHERE component = ? AND id = ?");
  return Run(statement).text(component.value).text(id).row();
}

void Migrator::record(const ComponentId& component, const std::string& id, EpochMs now) {
  const auto statement =
      connection_.prepare("INSERT INTO migrations (component, id, at) VALUES (?, ?, ?)");
  Run(statement).text(component.value).text(id).integer(now).changed();
}

std::optional<Migrator::Known> Migrator::find(const ComponentId& component,
                                              const std::string& index) {
  const auto statement =
      connection_.prepare("SELECT number, shape FROM indexes WHERE component = ? AND name = ?");
  Run run(statement);
  if (!run.text(component.value).text(index).row()) return std::nullopt;
  return Known{run.integer_at(0), run.text_at(1)};
}

Result<void> Migrator::step(const ComponentId& component, const Index& index) {
  const auto next = connection_.ask("SELECT coalesce(max(number), 0) + 1 FROM indexes");
  const auto number = std::stoll(next);
  const auto made = index_sql(component, number, index);
  if (!made)
    return fail(ErrorKind::invalid,
                fmt::format("index '{}': {}", index.name, made.error().message));
  if (const auto known = find(component, index.name)) {
    if (known->shape == made->shape) return {};
    drop(known->number);
  }
  try {
    for (const auto& sql : made->create) connection_.run(sql);
  } catch (const Failed& failed) {
    if (!is_clash(failed)) throw;
    return fail(ErrorKind::invalid,
                fmt::format("unique index '{}': two objects have the same values. Change or remove "
                            "one in a step before it",
                            index.name));
  }
  const auto statement = connection_.prepare(
      "INSERT INTO indexes (number, component, name, shape, text, ttl, expired)"
      " VALUES (?, ?, ?, ?, ?, ?, ?)");
  Run(statement)
      .integer(number)
      .text(component.value)
      .text(index.name)
      .text(made->shape)
      .integer(index.keys.front().kind == Index::Kind::text ? 1 : 0)
      .integer_or_null(index.ttl)
      .text_or_null(made->expired)
      .changed();
  return {};
}

void Migrator::drop(std::int64_t number) {
  for (const auto& sql : drop_index_sql(number)) connection_.run(sql);
  connection_.run(fmt::format("DELETE FROM indexes WHERE number = {}", number));
}

Result<void> Migrator::step(const ComponentId& component, const DropIndex& dropped) {
  // Gone already is as good: it may have been dropped by hand.
  if (const auto known = find(component, dropped.name)) drop(known->number);
  return {};
}

Result<void> Migrator::step(const ComponentId& component, const UpdateObjects& update) {
  const auto table = object_table(component);
  const auto select = filtered(
      fmt::format("SELECT rowid, properties FROM {} WHERE rowid > ?", table), update.filter);
  if (!select) return std::unexpected(select.error());
  const auto change =
      connection_.prepare(fmt::format("UPDATE {} SET properties = ? WHERE rowid = ?", table));
  const auto page = connection_.prepare(
      fmt::format("{} ORDER BY rowid LIMIT {}", select->text(), limits::migration_page_rows));
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (bool more = true; more;) {
    std::vector<std::pair<std::int64_t, std::string>> objects;
    {
      Run run(page);
      run.integer(last).all(select->values());
      std::size_t bytes = 0;
      while (bytes < limits::migration_page_bytes_max && run.row()) {
        objects.emplace_back(run.integer_at(0), run.text_at(1));
        bytes += objects.back().second.size();
      }
    }
    more = !objects.empty();
    if (more) last = objects.back().first;
    for (const auto& [row, text] : objects) {
      auto properties = json::parse(text);
      require(properties && properties->is_object(), "the properties of an object are no map");
      if (!change_properties(properties->get_object(), update)) continue;
      const auto changed = json::print(*properties);
      Run(change).text(changed).integer(row).changed();
    }
  }
  return {};
}

Result<void> Migrator::step(const ComponentId& component, const DeleteObjects& deletion) {
  const auto sql =
      filtered(fmt::format("DELETE FROM {} WHERE 1", object_table(component)), deletion.filter);
  if (!sql) return std::unexpected(sql.error());
  const auto statement = connection_.prepare(sql->text());
  Run(statement).all(sql->values()).changed();
  return {};
}

std::string Migrator::refused(const ComponentId& component, const std::string& migration,
                              const std::string& why) {
  return fmt::format("Component '{}', migration '{}': {}", component.value, migration, why);
}

std::vector<ExpiryRule> expiry_rules(Connection& connection, const ComponentId& component) {
  const auto statement = connection.prepare(
      "SELECT expired, ttl FROM indexes WHERE component = ? AND ttl IS NOT NULL ORDER BY number");
  Run run(statement);
  run.text(component.value);
  std::vector<ExpiryRule> rules;
  while (run.row()) rules.push_back({object_table(component), run.text_at(0), run.integer_at(1)});
  return rules;
}

}  // namespace toa::storage::sqlite
