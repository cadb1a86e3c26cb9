#pragma once

#include "options.hpp"
#include "spread.hpp"

namespace toa::bench {

/// What a person waits for at the command line, with the example shop.
struct Shop {
  Spread starts;
  Spread calls_running;
  Spread calls_alone;
  double idle_mb = 0;
};

Shop measure_shop(const Options& options);

}  // namespace toa::bench
