#include "gateway/host.hpp"

#include <gtest/gtest.h>

namespace toa::gateway {
namespace {

TEST(Host, IsANameOrABracketedAddress) {  // G151
  for (const auto* good : {"localhost", "localhost:8000", "a.b-c.example", "127.0.0.1:1", "[::1]",
                           "[::1]:8000", "a_b"})
    EXPECT_TRUE(is_host(good)) << good;
  for (const auto* bad : {"", ":80", "a:", "a:b", "a:123456", "a/b", "a b", "a@b", "[::1", "[::1]x",
                          "[a]", "::1", "a..b", ".a", "-a", "a:80:80", "[::1]:"})
    EXPECT_FALSE(is_host(bad)) << bad;
}

TEST(Host, HasTheNameOfItsAuthority) {  // G151, G220
  Settings settings;
  settings.authorities = {{"local", "localhost:8000"}};
  EXPECT_EQ(authority_of(settings, "localhost:8000"), "local");
  EXPECT_EQ(authority_of(settings, "LocalHost:8000"), "localhost:8000");
  EXPECT_EQ(authority_of(settings, "127.0.0.1:8000"), "127.0.0.1:8000");
}

}  // namespace
}  // namespace toa::gateway
