#include "gateway/directives/languages.hpp"

#include "gateway/formats/media.hpp"

namespace toa::gateway {
namespace {

std::string_view primary(std::string_view tag) {
  return tag.substr(0, tag.find('-'));
}

/// How closely a wish is met: not at all, by the language alone, exactly.
int closeness(std::string_view wish, std::string_view supported) {
  if (same_media(wish, supported)) return 2;
  const bool general = primary(wish) == wish || primary(supported) == supported;
  return general && same_media(primary(wish), primary(supported)) ? 1 : 0;
}

}  // namespace

const std::string& best_language(const std::vector<std::string>& supported,
                                 std::string_view accepted) {
  const auto* best = &supported.front();
  int best_quality = 0;
  int best_closeness = 0;
  while (!accepted.empty()) {
    const auto wish = weigh(take_part(accepted, ','));
    for (const auto& language : supported) {
      const auto close = closeness(wish.name, language);
      const bool better =
          wish.quality > best_quality || (wish.quality == best_quality && close > best_closeness);
      if (close == 0 || wish.quality == 0 || !better) continue;
      best = &language;
      best_quality = wish.quality;
      best_closeness = close;
    }
  }
  return *best;
}

}  // namespace toa::gateway
