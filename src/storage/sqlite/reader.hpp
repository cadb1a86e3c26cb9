#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/result.hpp"
#include "storage/sqlite/connection.hpp"
#include "storage/sqlite/queue_reader.hpp"
#include "storage/unit.hpp"

namespace toa::storage::sqlite {

/// Reads what is durable, beside the writer: in WAL mode with synchronous=FULL a commit becomes
/// visible to another connection only after its log was fsynced, and what an earlier process left
/// in the log is flushed before the reader is opened. Synchronous; used by one thread at a time.
class Reader {
 public:
  /// The writer must have opened the file before.
  static Result<std::unique_ptr<Reader>> open(std::string file, const std::string& vfs);
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// `now` is the time by which records expire.
  Result<std::optional<FirstReply>> recall(const std::string& endpoint, const Identity& identity,
                                           EpochMs now);
  /// The writer must have prepared the component.
  Result<std::optional<Object>> load(const ComponentId& component, const EntityId& id);

  /// What `read` reads of the queue, or what SQLite had against it.
  template <class Read>
  auto queue(Read read) -> Result<decltype(read(std::declval<QueueReader&>()))> {
    try {
      return read(queue_);
    } catch (const Failed& failed) {
      return std::unexpected(connection_.describe(failed));
    }
  }

 private:
  /// Throws Failed.
  explicit Reader(Connection connection);

  std::optional<std::int64_t> endpoint(const std::string& name);
  const Statement& objects(const ComponentId& component);

  Connection connection_;
  QueueReader queue_;
  Statement recall_, endpoint_id_;
  std::unordered_map<std::string, std::int64_t> endpoints_;
  std::unordered_map<std::string, Statement> objects_;
};

}  // namespace toa::storage::sqlite
