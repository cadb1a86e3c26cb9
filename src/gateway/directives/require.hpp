#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// `require:header`, `require:headers`: what a request must have (G148). What is stated further out
/// holds further in as well.
class RequireFamily final : public Family {
 public:
  std::string_view name() const override { return "require"; }
  void make(const std::vector<Stated>& stated, MethodSite site) const override;
};

}  // namespace toa::gateway
