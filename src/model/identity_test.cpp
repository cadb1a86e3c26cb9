#include "model/identity.hpp"

#include <gtest/gtest.h>
#include <set>

#include "base/hex.hpp"

namespace toa {
namespace {

Identity id(std::string_view hex) {
  return *Identity::parse(hex);
}

const std::string_view parent_hex = "0190a1b2c3d47e5f8091a2b3c4d5e6f7";

TEST(Identity, ReadsThirtyTwoHexDigitsAndWritesThemInLowerCase) {
  EXPECT_EQ(id("0190A1B2C3D47E5F8091A2B3C4D5E6F7").hex(), parent_hex);
  EXPECT_FALSE(Identity::parse("0190a1b2-c3d4-7e5f-8091-a2b3c4d5e6f7"));
  EXPECT_FALSE(Identity::parse("0190a1b2c3d47e5f8091a2b3c4d5e6f"));
  EXPECT_FALSE(Identity::parse(""));
}

// The expected values come from `sha256sum` over the framed parts (each after its length in eight
// bytes, big endian): of the first, `toa:1:call`, the parent's 16 bytes, the two endpoints and `0`.
TEST(Identity, OfACallIsAsTheFormatSays) {
  const auto parent = id(parent_hex);
  EXPECT_EQ(call_identity(parent, "shop.orders.place", "shop.wallets.debit", Ordinal(0)).hex(),
            "0190a1b2c3d49ca44fe2f30243019cad");
  EXPECT_EQ(call_identity(parent, "shop.orders.place", "shop.wallets.debit", Ordinal(1)).hex(),
            "0190a1b2c3d4c61aa5605aa108af65dc");
}

TEST(Identity, OfAnEventIsAsTheFormatSays) {
  EXPECT_EQ(event_identity(id(parent_hex), "shop.orders.placed").hex(),
            "0190a1b2c3d42297c4e0a059b597164c");
}

TEST(Identity, OfAClientKeyIsAsTheFormatSays) {
  const ClientKey key{.authority = "api.example.org",
                      .caller = "alice",
                      .method = "POST",
                      .path = "/orders/",
                      .key = "order-17"};
  EXPECT_EQ(key_identity(key).hex(), "96736acb7d1729e635136f313619d830");
}

// R82
TEST(Identity, OfAClientKeyDiffersWithEachOfItsParts) {
  std::set<Identity> seen;
  const ClientKey key{"a", "b", "POST", "/c/", "d"};
  seen.insert(key_identity(key));
  for (auto part : {&ClientKey::authority, &ClientKey::caller, &ClientKey::method, &ClientKey::path,
                    &ClientKey::key}) {
    auto other = key;
    other.*part = "x";
    seen.insert(key_identity(other));
  }
  // Framed by length: what moves from one part to the next makes another call.
  seen.insert(key_identity({"ab", "", "POST", "/c/", "d"}));
  seen.insert(key_identity({"", "ab", "POST", "/c/", "d"}));
  EXPECT_EQ(seen.size(), 8u);
}

// R79, R80: who calls whom for the how-many-eth time, and nothing else.
TEST(Identity, OfACallDiffersWithEachOfItsPartsAndKeepsTheFirstSixBytes) {
  const auto parent = id(parent_hex);
  const auto other = id("0190a1b2c3d47e5f8091a2b3c4d5e6f8");
  std::set<Identity> seen{
      call_identity(parent, "a.b.c", "d.e.f", Ordinal(0)),
      call_identity(parent, "a.b.c", "d.e.f", Ordinal(1)),
      call_identity(parent, "a.b.c", "d.e.g", Ordinal(0)),
      call_identity(parent, "a.b.d", "d.e.f", Ordinal(0)),
      call_identity(other, "a.b.c", "d.e.f", Ordinal(0)),
      call_identity(parent, "a.b.cd", ".e.f", Ordinal(0)),
      event_identity(parent, "a.b.c"),
  };
  EXPECT_EQ(seen.size(), 7u);
  for (const auto& one : seen) EXPECT_EQ(one.hex().substr(0, 12), "0190a1b2c3d4");
  EXPECT_EQ(call_identity(parent, "a.b.c", "d.e.f", Ordinal(0)),
            call_identity(parent, "a.b.c", "d.e.f", Ordinal(0)));
}

TEST(Identity, ThatIsNewHasTheLayoutOfAUuid7) {
  const ManualClock clock(0x0190a1b2c3d4);
  SeededRandom random(1);
  std::set<Identity> seen;
  for (int i = 0; i < 1'000; ++i) {
    const auto made = new_identity(clock, random);
    const auto hex = made.hex();
    EXPECT_EQ(hex.substr(0, 12), "0190a1b2c3d4");
    EXPECT_EQ(hex[12], '7');
    EXPECT_NE(std::string_view("89ab").find(hex[16]), std::string_view::npos) << hex;
    seen.insert(made);
  }
  EXPECT_EQ(seen.size(), 1'000u);
}

}  // namespace
}  // namespace toa
