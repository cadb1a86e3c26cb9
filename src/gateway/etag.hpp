#pragma once

#include <string>
#include <string_view>

namespace toa::gateway {

/// `"<hash>"` of a body as its client receives it (G120).
std::string etag_of(std::string_view body);

/// Whether an `if-none-match` names the tag; weak forms match, and so does `*` (G122).
bool matches_etag(std::string_view header, std::string_view tag);

}  // namespace toa::gateway
