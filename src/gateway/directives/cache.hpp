#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// `cache:control` and `cache:exact` (G124–G128).
class CacheFamily final : public Family {
 public:
  std::string_view name() const override { return "cache"; }
  void make(const std::vector<Stated>& stated, MethodSite site) const override;
};

}  // namespace toa::gateway
