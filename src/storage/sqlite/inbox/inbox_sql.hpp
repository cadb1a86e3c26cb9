#pragma once

#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "storage/sqlite/inbox/directory.hpp"
#include "storage/sqlite/schema.hpp"
#include "storage/sqlite/statement.hpp"

/// The remembered calls as SQL: the writer and those who ask before it look at them alike.
namespace toa::storage::sqlite {

inline std::string slice_table(SliceId slice) {
  return fmt::format("inbox_{}", slice.value);
}
inline std::string slice_index(SliceId slice) {
  return fmt::format("inbox_{}_index", slice.value);
}

/// The first reply that row ?1 of a slice gives to the call with endpoint ?2 and identity ?3 at
/// moment ?4: the row's time is not over, or a message of its chain waits (D6).
inline std::string select_reply(SliceId slice) {
  return fmt::format(
      "SELECT reply FROM {} WHERE number = ?1 AND endpoint = ?2 AND identity = ?3"
      " AND (expires > ?4 OR {})",
      slice_table(slice), is_pinned("identity", "?4"));
}

/// The same of a carried record, for endpoint ?1, identity ?2 and moment ?3.
inline std::string select_carried_reply() {
  return "SELECT reply FROM inbox WHERE endpoint = ?1 AND identity = ?2 AND (expires > ?3 OR " +
         is_pinned("identity", "?3") + ")";
}

/// The rows of a slice under a hash, the newest first.
inline std::string select_numbers(SliceId slice) {
  return fmt::format("SELECT number FROM {} WHERE hash = ? ORDER BY number DESC",
                     slice_index(slice));
}

/// What `select_numbers` finds. Throws Failed.
inline std::vector<std::uint32_t> numbers_under(std::uint64_t hash, const Statement& statement) {
  std::vector<std::uint32_t> numbers;
  Run run(statement);
  run.integer(std::bit_cast<std::int64_t>(hash));
  while (run.row()) numbers.push_back(static_cast<std::uint32_t>(run.integer_at(0)));
  return numbers;
}

}  // namespace toa::storage::sqlite
