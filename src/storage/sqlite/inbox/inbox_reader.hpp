#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "storage/remembered_calls.hpp"
#include "storage/sqlite/connection.hpp"
#include "storage/sqlite/inbox/directory.hpp"
#include "storage/sqlite/inbox/inbox_sql.hpp"
#include "storage/sqlite/statement_cache.hpp"
#include "storage/unit.hpp"

namespace toa::storage::sqlite {

/// The remembered calls, as another connection reads them. Everything throws Failed.
class InboxReader {
 public:
  explicit InboxReader(Connection& connection);

  /// The first reply to a call that may be where `candidates` says, by what is durable now.
  std::optional<FirstReply> recall(const std::string& endpoint, const Identity& identity,
                                   const Candidates& candidates, EpochMs now);

  /// The same, and how long it is remembered.
  std::optional<RememberedCall> remembered(const std::string& endpoint, const Identity& identity,
                                           const Candidates& candidates, EpochMs now);

  /// All endpoints of which a call was ever remembered, in the order of their names.
  std::vector<std::string> endpoints();

  /// The rows of a slice behind `after` whose calls a waiting message keeps (D6), and the last that
  /// was looked at: no more than `limits::inbox_scan_rows`. Nothing is left where `last` is
  /// `after`.
  struct Page {
    std::vector<std::uint32_t> pinned;
    std::uint32_t last = 0;
  };
  Page pinned(SliceId slice, std::uint32_t after, EpochMs now);

 private:
  /// What `read` makes of the first row that answers, the newest record of the call.
  template <class Read>
  auto first_row(const std::string& endpoint, const Identity& identity,
                 const Candidates& candidates, EpochMs now, Columns columns, Read read)
      -> std::optional<decltype(read(std::declval<Run&>()))>;
  std::vector<std::uint32_t> numbers_at(const Candidates::InSlice& candidate, std::uint64_t hash);
  std::optional<std::int64_t> endpoint(const std::string& name);
  bool exists(SliceId slice);
  bool anything_waits();

  Connection& connection_;
  Statement endpoint_id_, endpoint_names_, exists_, anything_waits_;
  std::unordered_map<std::string, std::int64_t> endpoints_;
  StatementCache of_records_;
};

}  // namespace toa::storage::sqlite
