#include "gateway/access/permissions.hpp"

#include <gtest/gtest.h>

namespace toa::gateway {
namespace {

TEST(Permissions, AreGlobsOfPaths) {  // G192
  EXPECT_TRUE(fits_glob("/garden/*/", "/garden/beds/"));
  EXPECT_FALSE(fits_glob("/garden/*/", "/garden/beds/a/"));
  EXPECT_TRUE(fits_glob("/garden/**", "/garden/beds/a/"));
  EXPECT_TRUE(fits_glob("/garden/**/", "/garden/beds/a/"));
  EXPECT_TRUE(fits_glob("**", "/anything/"));
  EXPECT_FALSE(fits_glob("/garden/", "/gardens/"));
  EXPECT_FALSE(fits_glob("", "/"));
  EXPECT_TRUE(fits_glob("/a*c/", "/abbc/"));
  EXPECT_FALSE(fits_glob("/*b*b*b*b*b*b*b*b*b*b*b*/", "/" + std::string(4'000, 'a') + "/"));
}

TEST(Permissions, NameMethods) {
  const auto read =
      Permissions::read(*json::parse(R"({"/a/":["GET","PUT"],"/b/":"*","/c/":["*"]})"));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->allow("GET", "/a/"));
  EXPECT_FALSE(read->allow("DELETE", "/a/"));
  EXPECT_TRUE(read->allow("DELETE", "/b/"));
  EXPECT_TRUE(read->allow("DELETE", "/c/"));
  EXPECT_FALSE(read->allow("GET", "/d/"));
}

TEST(Permissions, ThatSayNothingClearAreNone) {
  for (const auto* bad : {"[]", "1", R"({"/a/":[]})", R"({"/a/":"GET"})", R"({"/a/":[1]})"})
    EXPECT_FALSE(Permissions::read(*json::parse(bad))) << bad;
  EXPECT_FALSE(Permissions::read(JsonObject{})->allow("GET", "/"));
}

}  // namespace
}  // namespace toa::gateway
