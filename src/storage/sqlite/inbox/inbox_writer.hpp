#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "storage/sqlite/connection.hpp"
#include "storage/sqlite/inbox/directory.hpp"
#include "storage/sqlite/inbox/inbox_options.hpp"
#include "storage/unit.hpp"

namespace toa::storage::sqlite {

/// The remembered calls, within the writer's transactions: appended to slices (D6), so that neither
/// asking for a fresh call nor remembering it reads what was remembered before. Everything but
/// `committed` and `undone` throws Failed.
///
/// (1) A call is in the directory before its record is durable, and as long as its record is there.
/// (2) A slice is indexed while it is closed, a page with each batch; its set goes when the index
/// and its filter are durable. (3) What a batch did here is undone with it.
class InboxWriter {
 public:
  /// `window` is the longest of a remembered call, in ms.
  InboxWriter(Connection& connection, EpochMs window, InboxOptions options);
  ~InboxWriter();

  /// Reads what has to be known before anything is served: all of slices without an index.
  void open();
  /// Shared with those who ask on other threads.
  const std::shared_ptr<Directory>& directory() const { return directory_; }

  /// The first reply to a call, where it is remembered: its time is not over, or a message of its
  /// chain waits.
  std::optional<FirstReply> known(const Remembered& call, EpochMs now);
  /// Makes sure that there is a slice for the record, and that its endpoint has an id: what a
  /// savepoint must not undo.
  void make_room(const Remembered& call, EpochMs from);
  /// Remembers a call that is not known, for its window counted from `from`.
  void add(const Remembered& call, EpochMs from);
  /// The upkeep that comes with a batch of `units`: closes slices that time has left behind, writes
  /// on an index, and removes carried records that expired by `deletes_to`.
  void tend(std::size_t units, EpochMs from, EpochMs deletes_to);

  /// Copies records that are pinned out of a slice that is to be dropped; they are kept for one
  /// window more.
  void carry(SliceId slice, const std::vector<std::uint32_t>& numbers, EpochMs now);
  void drop(SliceId slice);

  /// The transaction was committed, or rolled back.
  void committed();
  void undone();

 private:
  struct Statements;
  struct Added {
    Slice* slice;
    CallSet::Entry entry;
  };
  struct Changed {
    Slice* slice;
    Slice::State before;
  };
  /// The index that is being written.
  struct Indexing {
    SliceId slice;
    std::size_t place = 0;
    std::size_t place_kept = 0;
    std::unique_ptr<Filter> filter;
    bool complete = false;
  };

  void read_slices();
  void read_calls(Slice& slice);
  void read_carried();
  Slice* open_slice(const Remembered& call, EpochMs from);
  void close(Slice& slice);
  void index(std::size_t rows);
  void prune(std::size_t rows, EpochMs now);
  std::optional<FirstReply> reply_at(const Candidates::InSlice& candidate, std::uint64_t hash,
                                     const Remembered& call, EpochMs now);
  std::vector<std::uint32_t> numbers_at(const Candidates::InSlice& candidate, std::uint64_t hash);
  Statements& statements(SliceId slice);
  std::int64_t endpoint(const std::string& name);

  Connection& connection_;
  EpochMs window_;
  InboxOptions options_;
  std::shared_ptr<Directory> directory_;
  Statement endpoint_id_, add_endpoint_, add_slice_, close_slice_, complete_slice_, forget_slice_;
  Statement carried_reply_, postpone_, prune_, soonest_statement_;
  std::unordered_map<SliceId, std::unique_ptr<Statements>> statements_;
  std::unordered_map<std::string, std::int64_t> endpoints_;
  /// No carried record expires before this.
  EpochMs soonest_ = 0;
  std::optional<Indexing> indexing_;

  // What the present transaction did.
  std::vector<Added> added_;
  std::vector<Changed> changed_;
  std::vector<SliceId> made_;
  std::optional<SliceId> dropped_;
};

}  // namespace toa::storage::sqlite
