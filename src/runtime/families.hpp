#pragma once

#include <array>
#include <expected>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "gateway/directives/auth.hpp"
#include "gateway/directives/cache.hpp"
#include "gateway/directives/help.hpp"
#include "gateway/directives/io.hpp"
#include "gateway/directives/map.hpp"
#include "gateway/directives/require.hpp"
#include "gateway/gateway.hpp"

namespace toa::runtime {

/// The directives that routes may have. `map` stands before `io`: what it fills in is none of a
/// client's (G139).
class Families {
 public:
  explicit Families(const Clock& clock) : io_(clock) {}
  Families(const Families&) = delete;
  Families& operator=(const Families&) = delete;

  /// What the application says of HTTP, or why it cannot start, as a person reads it. The families
  /// outlive what is made.
  Result<gateway::Exposition> expose(const manifest::Application& application,
                                     std::vector<std::string>& warnings,
                                     const manifest::Variables& variables) const;

 private:
  gateway::RequireFamily require_;
  gateway::MapFamily map_;
  gateway::AuthFamily auth_;
  gateway::IoFamily io_;
  gateway::CacheFamily cache_;
  gateway::HelpFamily help_;
  std::array<const gateway::Family*, 6> all_{&require_, &map_, &auth_, &io_, &cache_, &help_};
};

}  // namespace toa::runtime
