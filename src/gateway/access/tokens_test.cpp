#include "gateway/access/tokens.hpp"

#include <gtest/gtest.h>

namespace toa::gateway {
namespace {

using namespace std::chrono_literals;

class TokensTest : public testing::Test {
 protected:
  static TokenKey key(const char* id) { return {id, new_token_key().value()}; }
  Tokens tokens(std::vector<TokenKey> keys, std::string application = "shop") {
    return {*Sealer::make(keys), std::move(application), {}, clock_};
  }
  static Token ann() {
    return {.authority = "local", .application = {}, .identity = "a1", .roles = {"garden"}};
  }

  ManualClock clock_{1'790'000'000'000};
  TokenKey first_ = key("key0");
};

TEST_F(TokensTest, SayWhoseTheyAre) {  // G187, G190
  auto tokens = this->tokens({first_});
  const auto text = tokens.issue(ann());
  EXPECT_TRUE(text.starts_with("eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..")) << text;
  for (int i = 0; i < 2; ++i) {  // read, then remembered
    const auto opened = tokens.open(text, "local");
    ASSERT_TRUE(opened);
    EXPECT_EQ((*opened)->identity, "a1");
    EXPECT_EQ((*opened)->roles, std::vector<std::string>{"garden"});
    EXPECT_FALSE((*opened)->transient);
  }
}

TEST_F(TokensTest, AreGoodUntilTheyExpireAndStaleBefore) {  // G172, G189
  auto tokens = this->tokens({first_});
  const auto text = tokens.issue(ann());
  const auto opened = tokens.open(text, "local");
  clock_.advance(600s);
  EXPECT_FALSE(tokens.is_stale(**opened));
  clock_.advance(1ms);
  EXPECT_TRUE(tokens.is_stale(**opened));
  clock_.advance(30 * 24h - 600s - 2ms);
  EXPECT_TRUE(tokens.open(text, "local"));
  clock_.advance(1ms);
  EXPECT_FALSE(tokens.open(text, "local"));
}

TEST_F(TokensTest, OfOthersAreNotGood) {  // G173, G191, G198
  auto tokens = this->tokens({first_});
  const auto text = tokens.issue(ann());
  EXPECT_FALSE(tokens.open(text, "elsewhere"));
  EXPECT_FALSE(this->tokens({first_}, "bank").open(text, "local"));
  EXPECT_FALSE(this->tokens({key("other")}).open(text, "local"));
  for (const auto* bad : {"", ".", "....", "a.b.c.d.e", "not a token"})
    EXPECT_FALSE(tokens.open(bad, "local")) << bad;
  for (std::size_t at = 0; at < text.size(); at += 7) {
    auto damaged = text;
    damaged[at] = damaged[at] == 'x' ? 'y' : 'x';
    EXPECT_FALSE(tokens.open(damaged, "local")) << at;
  }
  EXPECT_FALSE(tokens.open(text + std::string(9'000, 'a'), "local"));
}

TEST_F(TokensTest, OfAnOldKeyAreReadForAsLongAsItIsListed) {  // G188
  const auto second = key("key1");
  const auto text = tokens({first_}).issue(ann());
  EXPECT_TRUE(tokens({second, first_}).open(text, "local"));
  EXPECT_FALSE(tokens({first_}).open(tokens({second, first_}).issue(ann()), "local"));
}

TEST_F(TokensTest, KeepWhatTheyAreLimitedTo) {  // G192
  auto tokens = this->tokens({first_});
  auto custom = ann();
  custom.application = "shop";
  custom.issued = clock_.now();
  custom.custom = "c1";
  custom.permissions =
      std::make_shared<const Permissions>(*Permissions::read(JsonObject{{"/a/", "*"}}));
  const auto opened = tokens.open(tokens.seal(custom), "local");
  ASSERT_TRUE(opened);
  EXPECT_FALSE((*opened)->permissions->allow("GET", "/b/"));
  EXPECT_FALSE((*opened)->expires);
  clock_.advance(1000h);
  EXPECT_FALSE(tokens.is_stale(**opened));
}

TEST(FreshCache, ForgetsWhatWasNotAskedForLately) {
  FreshCache<int> cache(2);
  cache.put("a", 1);
  cache.put("b", 2);
  cache.put("c", 3);
  ASSERT_NE(cache.find("a"), nullptr);
  cache.put("d", 4);
  EXPECT_EQ(cache.find("b"), nullptr);
  EXPECT_EQ(*cache.find("a"), 1);
  EXPECT_LE(cache.size(), 4u);
  cache.erase("a");
  EXPECT_EQ(cache.find("a"), nullptr);
}

}  // namespace
}  // namespace toa::gateway
