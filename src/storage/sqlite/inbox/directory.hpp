#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/clock.hpp"
#include "storage/sqlite/inbox/call_hash.hpp"
#include "storage/sqlite/inbox/call_set.hpp"
#include "storage/sqlite/inbox/filter.hpp"

namespace toa::storage::sqlite {

using SliceId = Named<struct SliceIdTag, std::int64_t>;

/// Remembered calls of like windows that expire at about the same time: a table of the file, and
/// what is known of it in memory.
struct Slice {
  enum class State {
    open,     // takes records
    closed,   // takes none any more; its index is being written
    indexed,  // its index is complete
  };

  SliceId id;
  /// Windows of its records are at most this, and more than half of it; a power of two, in ms.
  EpochMs window = 0;
  /// When the last of its records has expired.
  EpochMs expires = 0;
  State state = State::open;
  std::uint32_t rows = 0;
  /// Its calls, exactly, until its index is complete.
  std::unique_ptr<CallSet> set = {};
  /// In place of the set from then on; nothing where all filters together would be too large.
  std::unique_ptr<Filter> filter = {};
};

/// Where a call may be remembered. Nothing is proven by it but its absence.
struct Candidates {
  struct InSlice {
    SliceId slice;
    /// The row; 0 where the slice's index has to be asked.
    std::uint32_t number = 0;
  };
  std::uint64_t hash = 0;
  /// The newest first.
  std::vector<InSlice> slices = {};
  /// Also, or instead, among the carried ones.
  bool carried = false;

  bool none() const { return slices.empty() && !carried; }
};

/// What the process knows of its remembered calls without asking the file, so that a fresh call
/// costs no read (D6).
///
/// One thread, the writer's, changes it, and reads it as it likes; others ask for `candidates`.
/// A call is here before its record is durable, and stays here until its record is gone.
class Directory {
 public:
  explicit Directory(std::uint64_t seed) : hash_(seed) {}

  std::uint64_t hash(std::string_view endpoint, const Identity& identity) const {
    return hash_(endpoint, identity);
  }
  /// Any thread.
  Candidates candidates(std::string_view endpoint, const Identity& identity) const;

  /// The first slice of which all records expired by `moment`, so that it can be dropped. Any
  /// thread.
  std::optional<SliceId> expired(EpochMs moment) const;

  /// How many records of calls there are, those that have expired and are still there among them;
  /// of carried ones, those that are known. Any thread.
  std::size_t calls() const { return calls_; }

  // The rest is the writer's.

  Candidates find(std::uint64_t hash) const;
  const std::vector<std::unique_ptr<Slice>>& slices() const { return slices_; }
  /// Nothing where it was dropped.
  Slice* slice(SliceId id);
  /// The newest last. `rows` say how many calls are in it, also where it comes without a set.
  Slice& add(Slice slice);
  void remove(SliceId slice);
  /// One that `rows` count already, of a slice that is read at the start.
  void read_call(Slice& slice, CallSet::Entry entry);
  void add_call(Slice& slice, CallSet::Entry entry);
  /// The last that was added to it.
  void remove_call(Slice& slice, CallSet::Entry entry);
  void change(Slice& slice, Slice::State state);
  /// The index is complete: `filter` takes the place of the set, if there is room for it.
  void replace_set(Slice& slice, std::unique_ptr<Filter> filter, std::size_t filter_bytes_max);
  void carry(std::uint64_t hash);

 private:
  void bound_filters(std::size_t bytes_max);

  CallHash hash_;
  std::atomic<std::size_t> calls_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::unordered_set<std::uint64_t> carried_;
  /// More are carried than are kept here: the file is asked of each call.
  bool carries_many_ = false;
};

}  // namespace toa::storage::sqlite
