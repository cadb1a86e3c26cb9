#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// Fills input properties from what else a request says: `map:headers`, `map:segments`,
/// `map:languages` with `map:language`, `map:authority`, `map:buffer` (G139–G145).
class MapFamily final : public Family {
 public:
  std::string_view name() const override { return "map"; }
  void make(const std::vector<Stated>& stated, MethodSite site) const override;
};

}  // namespace toa::gateway
