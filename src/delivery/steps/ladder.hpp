#pragma once

#include <array>
#include <chrono>
#include <string_view>

#include "base/result.hpp"

namespace toa::delivery {

/// The pauses between the attempts of one message: 1, 10, 30, 90 s, five attempts in all (R19).
/// Applications neither see nor set it; TOA_LADDER shortens it for tests and drills (R21, R23).
struct Ladder {
  std::array<std::chrono::milliseconds, 4> pauses{
      std::chrono::milliseconds(1'000), std::chrono::milliseconds(10'000),
      std::chrono::milliseconds(30'000), std::chrono::milliseconds(90'000)};

  int attempts() const { return static_cast<int>(pauses.size()) + 1; }

  /// Reads `50,50,50,50`: four pauses in milliseconds.
  static Result<Ladder> read(std::string_view text);

  friend bool operator==(const Ladder&, const Ladder&) = default;
};

}  // namespace toa::delivery
