#include "storage/sqlite/reader.hpp"

#include <fmt/format.h>

#include "storage/sqlite/schema.hpp"
#include "storage/sqlite/trouble.hpp"

namespace toa::storage::sqlite {

Reader::Reader(Connection connection) : connection_(std::move(connection)), queue_(connection_) {
  begin_ = connection_.prepare("BEGIN");
  end_ = connection_.prepare("COMMIT");
  recall_ = connection_.prepare(
      "SELECT reply FROM inbox WHERE endpoint = ?1 AND identity = ?2 AND (expires > ?3 OR " +
      is_pinned("identity", "?3") + ")");
  endpoint_id_ = connection_.prepare("SELECT id FROM endpoints WHERE name = ?");
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

Result<std::optional<FirstReply>> Reader::recall(const std::string& name, const Identity& identity,
                                                 EpochMs now) {
  try {
    const auto id = endpoint(name);
    if (!id) return std::nullopt;
    Run run(recall_);
    if (!run.integer(*id).blob(identity.view()).integer(now).row()) return std::nullopt;
    return FirstReply{run.optional_text_at(0)};
  } catch (const Failed& failed) {
    return std::unexpected(connection_.describe(failed));
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

void Reader::step(const Statement& statement) {
  sqlite3_step(statement.get());
  sqlite3_reset(statement.get());
}

std::optional<std::int64_t> Reader::endpoint(const std::string& name) {
  if (const auto known = endpoints_.find(name); known != endpoints_.end()) return known->second;
  Run run(endpoint_id_);
  if (!run.text(name).row()) return std::nullopt;
  // What the reader sees is committed, and an endpoint's id is never given away again.
  return endpoints_.emplace(name, run.integer_at(0)).first->second;
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
