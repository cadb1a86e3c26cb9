#include "gateway/tree/path.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace toa::gateway {
namespace {

std::string canonical(std::string_view text) {
  const auto path = read_path(text);
  return path ? path->canonical : "<none>";
}

TEST(Path, HasOneSpellingForAllThatMeanTheSame) {  // D7
  EXPECT_EQ(canonical("/a/b/"), "/a/b/");
  EXPECT_EQ(canonical("/a/b"), "/a/b/");
  EXPECT_EQ(canonical("/%61/%62/"), "/a/b/");
  EXPECT_EQ(canonical("/a+b/"), canonical("/a%2Bb/"));
  EXPECT_EQ(canonical("/%c3%a9/"), "/%C3%A9/");
  EXPECT_EQ(canonical("/a@b:c/"), canonical("/a%40b%3ac/"));
  EXPECT_EQ(canonical("/"), "/");
  EXPECT_NE(canonical("/a%2Bb/"), canonical("/a%20b/"));
}

TEST(Path, IsDecodedOnce) {
  EXPECT_EQ(read_path("/%252f/")->segments, std::vector<std::string>{"%2f"});
  EXPECT_EQ(canonical("/%252f/"), "/%252f/");
}

TEST(Path, HidesNothing) {
  for (const auto* bad :
       {"", "a/", "//", "/a//b/", "/./", "/../", "/%2e/", "/%2E%2e/", "/a%2fb/", "/a%5cb/", "/%00/",
        "/%0d%0a/", "/%7f/", "/%", "/%f", "/%zz/", "/%ff/", "/%c0%ae/", "/%ed%a0%80/"})
    EXPECT_EQ(canonical(bad), "<none>") << bad;
}

RC_GTEST_PROP(Path, SpellsItsSpellingAlike, (const std::string& text)) {
  const auto once = read_path("/" + text);
  if (!once) return;
  const auto twice = read_path(once->canonical);
  RC_ASSERT(twice.has_value());
  RC_ASSERT(twice->canonical == once->canonical);
  RC_ASSERT(twice->segments == once->segments);
}

}  // namespace
}  // namespace toa::gateway
