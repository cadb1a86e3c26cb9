#include "base/hex.hpp"

#include <array>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <vector>

namespace toa {
namespace {

TEST(Hex, ReadsEitherCaseAndWritesTheLower) {
  std::array<std::uint8_t, 3> bytes{};
  ASSERT_TRUE(from_hex("00Af9C", bytes));
  EXPECT_EQ(to_hex(bytes), "00af9c");
}

TEST(Hex, RefusesOtherLengthsAndOtherCharacters) {
  std::array<std::uint8_t, 2> bytes{};
  for (const auto* text : {"", "abc", "abcde", "abcdef", "abcg", "ab d", "0x12", "ab-d"}) {
    EXPECT_FALSE(from_hex(text, bytes)) << text;
  }
}

TEST(Hex, ReadsBackWhatItWrites) {
  EXPECT_TRUE(rc::check("any bytes", [](const std::vector<std::uint8_t>& bytes) {
    std::vector<std::uint8_t> back(bytes.size());
    RC_ASSERT(from_hex(to_hex(bytes), back));
    RC_ASSERT(back == bytes);
  }));
}

}  // namespace
}  // namespace toa
