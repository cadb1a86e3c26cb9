#pragma once

#include "gateway/directive.hpp"

namespace toa::gateway {

/// `help:node`, `help:method`, `help:route`, `help:query`: what discovery says besides (G168). Not
/// inherited: each counts where it stands.
class HelpFamily final : public Family {
 public:
  std::string_view name() const override { return "help"; }
  void make(const std::vector<Stated>& stated, MethodSite site) const override;
};

}  // namespace toa::gateway
