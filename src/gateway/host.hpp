#pragma once

#include <string>
#include <string_view>

#include "gateway/settings.hpp"

namespace toa::gateway {

/// A host name or a bracketed IPv6 address, with or without a port (G151).
bool is_host(std::string_view host);

/// The name that the Context gives to a host; the host itself, in lower case, where it gives none.
std::string authority_of(const Settings& settings, std::string_view host);

}  // namespace toa::gateway
