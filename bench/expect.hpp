#pragma once

#include <stdexcept>
#include <string>

namespace toa::bench {

/// What was measured did not do its work, so that there is no figure. Caught in `main`; the
/// applications end on the way.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void expect(bool holds, const std::string& what) {
  if (!holds) throw Failed(what);
}

}  // namespace toa::bench
