#include "model/names.hpp"

#include <gtest/gtest.h>

namespace toa {
namespace {

TEST(Endpoint, TakesThreeSegmentsOrTwoOfTheDefaultNamespace) {
  EXPECT_EQ(Endpoint::parse("shop.wallets.credit")->component.value, "shop.wallets");
  EXPECT_EQ(Endpoint::parse("shop.wallets.credit")->operation, "credit");
  // R272
  EXPECT_EQ(Endpoint::parse("wallets.credit")->str(), "default.wallets.credit");
}

TEST(Endpoint, RefusesWhatIsNeither) {
  for (const auto* text :
       {"", ".", "..", "credit", "a.", ".a", "a..b", ".a.b", "a.b.", "a.b.c.d", "..."}) {
    EXPECT_FALSE(Endpoint::parse(text)) << text;
  }
}

TEST(ComponentName, IsALetterAndUpToThirtyOneLettersOrDigits) {
  EXPECT_TRUE(is_component_name("a"));
  EXPECT_TRUE(is_component_name("Wallets2"));
  EXPECT_TRUE(is_component_name("a" + std::string(31, '1')));
  for (const auto& text : {std::string(), std::string("2a"), std::string("a-b"), std::string("a_b"),
                           std::string("a b"), std::string("\xc3\xa4"), std::string(33, 'a')}) {
    EXPECT_FALSE(is_component_name(text)) << text;
  }
}

}  // namespace
}  // namespace toa
