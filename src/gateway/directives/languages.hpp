#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toa::gateway {

/// What of `supported` (not empty) suits an `accept-language` best, by its quality values; a wish
/// for `de-AT` is met by `de`, and one for `de` by `de-AT`. The first where nothing suits (G142).
const std::string& best_language(const std::vector<std::string>& supported,
                                 std::string_view accepted);

}  // namespace toa::gateway
