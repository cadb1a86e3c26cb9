#pragma once

#include <fmt/format.h>
#include <string>

#include "storage/sqlite/inbox/directory.hpp"

/// The tables of slices, as SQL.
namespace toa::storage::sqlite {

inline std::string slice_table(SliceId slice) {
  return fmt::format("inbox_{}", slice.value);
}
inline std::string slice_index(SliceId slice) {
  return fmt::format("inbox_{}_index", slice.value);
}

}  // namespace toa::storage::sqlite
