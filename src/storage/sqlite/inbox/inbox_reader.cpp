#include "storage/sqlite/inbox/inbox_reader.hpp"

#include "base/limits.hpp"
#include "storage/sqlite/inbox/inbox_sql.hpp"
#include "storage/sqlite/schema.hpp"

namespace toa::storage::sqlite {

InboxReader::InboxReader(Connection& connection)
    : connection_(connection), of_records_(connection, limits::inbox_statements_max) {
  endpoint_id_ = connection_.prepare("SELECT id FROM endpoints WHERE name = ?");
  endpoint_names_ = connection_.prepare("SELECT name FROM endpoints ORDER BY name");
  exists_ = connection_.prepare("SELECT 1 FROM inbox_slices WHERE id = ?");
  anything_waits_ =
      connection_.prepare("SELECT EXISTS (SELECT 1 FROM messages) OR EXISTS (SELECT 1 FROM pins)");
}

template <class Read>
auto InboxReader::first_row(const std::string& name, const Identity& identity,
                            const Candidates& candidates, EpochMs now, Columns columns, Read read)
    -> std::optional<decltype(read(std::declval<Run&>()))> {
  const auto id = endpoint(name);
  if (!id) return std::nullopt;
  bool carried = candidates.carried;
  for (const auto& candidate : candidates.slices) {
    // A slice that was dropped meanwhile left what was pinned among the carried ones.
    if (!exists(candidate.slice)) {
      carried = true;
      continue;
    }
    for (const auto number : numbers_at(candidate, candidates.hash)) {
      Run run(of_records_.get(select_reply(candidate.slice, columns)));
      if (run.integer(number).integer(*id).blob(identity.view()).integer(now).row())
        return read(run);
    }
  }
  if (!carried) return std::nullopt;
  Run run(of_records_.get(select_carried_reply(columns)));
  if (!run.integer(*id).blob(identity.view()).integer(now).row()) return std::nullopt;
  return read(run);
}

std::optional<FirstReply> InboxReader::recall(const std::string& name, const Identity& identity,
                                              const Candidates& candidates, EpochMs now) {
  return first_row(name, identity, candidates, now, Columns::reply,
                   [](Run& run) { return FirstReply{run.optional_text_at(0)}; });
}

std::optional<RememberedCall> InboxReader::remembered(const std::string& name,
                                                      const Identity& identity,
                                                      const Candidates& candidates, EpochMs now) {
  return first_row(name, identity, candidates, now, Columns::all, [&name](Run& run) {
    return RememberedCall{.endpoint = name,
                          .expires = run.integer_at(1),
                          .kept = run.integer_at(2) != 0,
                          .first = {run.optional_text_at(0)}};
  });
}

std::vector<std::string> InboxReader::endpoints() {
  std::vector<std::string> names;
  Run run(endpoint_names_);
  while (run.row()) names.emplace_back(run.text_at(0));
  return names;
}

InboxReader::Page InboxReader::pinned(SliceId slice, std::uint32_t after, EpochMs now) {
  if (!exists(slice) || !anything_waits()) return {.pinned = {}, .last = after};
  Page page{.pinned = {}, .last = after};
  Run run(
      of_records_.get(fmt::format("SELECT number, {} FROM {} WHERE number > ?1"
                                  " ORDER BY number LIMIT ?3",
                                  is_pinned("identity", "?2"), slice_table(slice))));
  run.integer(after).integer(now).integer(limits::inbox_scan_rows);
  while (run.row()) {
    page.last = static_cast<std::uint32_t>(run.integer_at(0));
    if (run.integer_at(1) != 0) page.pinned.push_back(page.last);
  }
  return page;
}

std::vector<std::uint32_t> InboxReader::numbers_at(const Candidates::InSlice& candidate,
                                                   std::uint64_t hash) {
  if (candidate.number != 0) return {candidate.number};
  return numbers_under(hash, of_records_.get(select_numbers(candidate.slice)));
}

std::optional<std::int64_t> InboxReader::endpoint(const std::string& name) {
  if (const auto known = endpoints_.find(name); known != endpoints_.end()) return known->second;
  Run run(endpoint_id_);
  if (!run.text(name).row()) return std::nullopt;
  // What the reader sees is committed, and an endpoint's id is never given away again.
  return endpoints_.emplace(name, run.integer_at(0)).first->second;
}

bool InboxReader::exists(SliceId slice) {
  return Run(exists_).integer(slice.value).row();
}

bool InboxReader::anything_waits() {
  Run run(anything_waits_);
  run.row();
  return run.integer_at(0) != 0;
}

}  // namespace toa::storage::sqlite
