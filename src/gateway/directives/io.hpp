#pragma once

#include "base/clock.hpp"
#include "gateway/directive.hpp"

namespace toa::gateway {

/// What passes between client and operation: `io:input`, `io:output`, `io:status`, `io:readonly`,
/// `io:throttle` (G129–G138).
class IoFamily final : public Family {
 public:
  explicit IoFamily(const Clock& clock) : clock_(clock) {}
  std::string_view name() const override { return "io"; }
  void make(const std::vector<Stated>& stated, MethodSite site) const override;

 private:
  const Clock& clock_;
};

}  // namespace toa::gateway
