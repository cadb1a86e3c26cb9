#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toa::gateway {

/// Whether a text may be a role: segments of letters and digits, joined by colons (G208).
bool is_role(std::string_view text);

/// Whether who holds `held` may what takes `required`: it is the same, or stands above it (G209).
bool covers(std::string_view held, std::string_view required);
bool covers(const std::vector<std::string>& held, std::string_view required);

/// Whether a role is for the gateway's own resources (G210).
bool is_system(std::string_view role);

}  // namespace toa::gateway
