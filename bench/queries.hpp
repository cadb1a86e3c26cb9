#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "spread.hpp"

namespace toa::bench {

/// What finding objects took, with so many of them in the file.
struct Queried {
  std::size_t objects = 0;
  Spread loads;    // one, by its id, that was not read since the file was opened
  Spread held;     // one that was
  Spread cold;     // the first one, of a file that is not in the system's memory
  Spread equals;   // ten, by an indexed value that a thousandth of all have
  Spread pages;    // ten, by the same, sorted by a second key of the index
  Spread ranges;   // ten, by a range that a third of all are in, in its order
  Spread crossed;  // ten, by the same as `equals` and an indexed value that half of all have
  double filled_per_s = 0;
};

/// Fills a file step by step to as many objects as `sizes` says, growing, and measures at each.
std::vector<Queried> measure_queries(const std::string& folder,
                                     const std::vector<std::size_t>& sizes,
                                     std::chrono::milliseconds duration);

}  // namespace toa::bench
