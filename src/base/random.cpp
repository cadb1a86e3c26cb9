#include "base/random.hpp"

#include <array>

namespace toa {

SystemRandom::SystemRandom() {
  std::random_device device;
  std::array<std::uint32_t, 8> words{};
  for (auto& word : words) word = device();
  std::seed_seq seed(words.begin(), words.end());
  engine_.seed(seed);
}

}  // namespace toa
