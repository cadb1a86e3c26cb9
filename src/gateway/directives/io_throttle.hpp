#pragma once

#include "base/clock.hpp"
#include "gateway/directive.hpp"

namespace toa::gateway {

/// `io:throttle: { key, requests, interval, condition }`: a bucket of `requests` per key, which
/// fills again within `interval` seconds (G136–G138). Each method has buckets of its own.
std::unique_ptr<Directive> make_throttle(const std::vector<Stated>& stated, MethodSite site,
                                         const Clock& clock);

}  // namespace toa::gateway
