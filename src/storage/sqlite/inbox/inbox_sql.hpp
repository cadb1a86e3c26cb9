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

/// What is read of a record that answers: its reply, or also when it expires and whether a message
/// of its chain keeps it.
enum class Columns { reply, all };

inline std::string select_answering(Columns columns, const std::string& from,
                                    const std::string& now_parameter) {
  const auto pinned = is_pinned("identity", now_parameter);
  return fmt::format("SELECT {} FROM {} AND (expires > {} OR {})",
                     columns == Columns::reply ? "reply" : "reply, expires, " + pinned, from,
                     now_parameter, pinned);
}

/// Row ?1 of a slice where it answers the call with endpoint ?2 and identity ?3 at moment ?4: its
/// time is not over, or a message of its chain waits (D6).
inline std::string select_reply(SliceId slice, Columns columns = Columns::reply) {
  return select_answering(
      columns, slice_table(slice) + " WHERE number = ?1 AND endpoint = ?2 AND identity = ?3", "?4");
}

/// The same of a carried record, for endpoint ?1, identity ?2 and moment ?3.
inline std::string select_carried_reply(Columns columns = Columns::reply) {
  return select_answering(columns, "inbox WHERE endpoint = ?1 AND identity = ?2", "?3");
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
