#include "delivery/steps/ladder.hpp"

#include <charconv>

namespace toa::delivery {

Result<Ladder> Ladder::read(std::string_view text) {
  const auto refused = [text] {
    return fail(ErrorKind::invalid,
                "TOA_LADDER: '" + std::string(text) +
                    "' is not four pauses in milliseconds, such as 50,50,50,50");
  };
  Ladder ladder;
  std::string_view rest = text;
  for (std::size_t i = 0; i < ladder.pauses.size(); ++i) {
    const bool last = i + 1 == ladder.pauses.size();
    const auto part = rest.substr(0, rest.find(','));
    long long pause = -1;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), pause);
    const bool number = error == std::errc{} && end == part.data() + part.size() && pause >= 0;
    const bool followed = part.size() < rest.size();
    if (!number || pause > 86'400'000 || followed == last) return refused();
    ladder.pauses[i] = std::chrono::milliseconds(pause);
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  }
  return ladder;
}

}  // namespace toa::delivery
