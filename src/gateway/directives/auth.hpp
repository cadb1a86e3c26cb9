#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// The family `auth`: who may (G195–G207). Of all that reach a method one is enough; where none
/// admits, nobody may.
class AuthFamily final : public Family {
 public:
  std::string_view name() const override { return "auth"; }
  void make(const std::vector<Stated>& stated, MethodSite site) const override;
};

}  // namespace toa::gateway
