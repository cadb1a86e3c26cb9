#pragma once

#include <optional>
#include <string_view>

#include "base/limits.hpp"
#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/request.hpp"

namespace toa::operation {

/// TOA_TRAIL_REPEATS (0: any number of times) and TOA_TRAIL_DEPTH.
struct ChainLimits {
  int repeats = limits::trail_repeats_max;
  int depth = limits::trail_depth_max;
};

/// Refuses the hop that would close a circle or make the chain too long, before anything is read
/// (R102, R103).
std::optional<Exception> check_loop(const Trail& passed, std::string_view hop, ChainLimits limits);

/// Refuses what may change state on a chain that may only read (R109).
std::optional<Exception> check_safety(const Trail& passed, Readonly readonly,
                                      const manifest::Operation& called);

/// Refuses a call that a retried caller would make again under another identity (R98–R100).
std::optional<Exception> check_repeatable(const manifest::Operation& caller,
                                          const manifest::Operation& called);

/// The trail and the mark that calls made by `serving` carry (R106, R110).
Trail trail_beneath(const Trail& passed, const manifest::Operation& serving);
Readonly readonly_beneath(Readonly above, const manifest::Operation& serving);

}  // namespace toa::operation
