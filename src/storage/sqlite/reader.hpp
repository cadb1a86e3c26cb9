#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/result.hpp"
#include "model/selection.hpp"
#include "storage/sqlite/connection.hpp"
#include "storage/sqlite/inbox/inbox_reader.hpp"
#include "storage/sqlite/queue_reader.hpp"
#include "storage/sqlite/sql.hpp"
#include "storage/sqlite/statement_cache.hpp"
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

  /// What `read` reads of the remembered calls, or what SQLite had against it.
  template <class Read>
  auto inbox(Read read) -> Result<decltype(read(std::declval<InboxReader&>()))> {
    try {
      return read(inbox_);
    } catch (const Failed& failed) {
      return std::unexpected(connection_.describe(failed));
    }
  }
  /// The writer must have prepared the component.
  Result<std::optional<Object>> load(const ComponentId& component, const EntityId& id);
  /// The same. `clock` tells when it takes too long.
  Result<std::vector<Object>> find(const ComponentId& component, const Selection& selection,
                                   const Clock& clock);

  /// Reads made while it lives are one transaction, which costs as much as one read alone.
  class Together {
   public:
    explicit Together(Reader& reader) : reader_(reader) { reader_.step(reader_.begin_); }
    ~Together() { reader_.step(reader_.end_); }
    Together(const Together&) = delete;
    Together& operator=(const Together&) = delete;

   private:
    Reader& reader_;
  };
  Together together() { return Together(*this); }

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

  /// A failure shows in the reads themselves.
  static void step(const Statement& statement);
  const Statement& objects(const ComponentId& component);
  /// The table that serves `search`.
  std::optional<std::string> text_index(const ComponentId& component);
  Result<std::vector<Object>> found(const std::string& sql, const std::vector<Bound>& values);

  Connection connection_;
  QueueReader queue_;
  InboxReader inbox_;
  Statement begin_, end_;
  std::unordered_map<std::string, Statement> objects_;
  StatementCache finds_;
};

}  // namespace toa::storage::sqlite
