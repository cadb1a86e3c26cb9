#include "base/sha256.hpp"

#include <gtest/gtest.h>

#include "base/hex.hpp"

namespace toa {
namespace {

// The expected values are those of any other SHA-256 over the framed bytes, for instance
// `printf '0000000000000002%s0000000000000001%s' 6162 63 | xxd -r -p | sha256sum`.
TEST(Sha256Framed, HashesTheLengthBeforeEachPart) {
  EXPECT_EQ(to_hex(sha256_framed({"ab", "c"})),
            "601d5476e2ccfe2c87a2bba7a322659734a05749d5b5aa781f513e4912db0d5f");
  EXPECT_EQ(to_hex(sha256_framed({})),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256Framed, TellsListsOfPartsApart) {
  EXPECT_NE(sha256_framed({"ab", "c"}), sha256_framed({"a", "bc"}));
  EXPECT_NE(sha256_framed({"abc"}), sha256_framed({"abc", ""}));
  EXPECT_NE(sha256_framed({"", "abc"}), sha256_framed({"abc", ""}));
  EXPECT_NE(sha256_framed({std::string_view("a\0b", 3)}), sha256_framed({"a", "b"}));
}

}  // namespace
}  // namespace toa
