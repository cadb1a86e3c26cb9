#pragma once

#include <cstddef>
#include <cstdint>

#include "base/limits.hpp"

namespace toa::storage::sqlite {

/// How the inbox is kept.
struct InboxOptions {
  /// Records of one slice.
  std::uint32_t slice_rows_max = limits::inbox_slice_rows_max;
  /// Rows of an index that are written with one batch of units.
  std::size_t index_rows_max = limits::inbox_index_rows_max;
  /// Filters of all slices together, in bytes.
  std::size_t filter_bytes_max = limits::inbox_filter_bytes_max;

  /// For the hashes of a file that has no seed yet (`CallHash`).
  std::uint64_t seed = 0;

  /// What the inbox stands on. A test takes one away, to see that it is missed.
  struct Rules {
    /// Whether a call is known is asked in the commit too, not only before it.
    bool asked_in_the_commit = true;
    /// A set stays until the index that replaces it is complete.
    bool set_until_indexed = true;
    /// Records that are pinned leave their slice before it is dropped.
    bool pinned_are_carried = true;
  } rules = {};
};

}  // namespace toa::storage::sqlite
