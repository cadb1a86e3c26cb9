#include "gateway/directives/trim.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace toa::gateway {
namespace {

std::string trim(std::string text, const std::vector<std::string>& names = {"a", "b"}) {
  return trimmed(Document::of_text(std::move(text)), names).text();
}

// G130
TEST(Trim, KeepsTheNamedMembersInTheirOrder) {
  EXPECT_EQ(trim(R"({"b":1,"c":2,"a":"x"})"), R"({"b":1,"a":"x"})");
  EXPECT_EQ(trim(R"({"c":2})"), "{}");
  EXPECT_EQ(trim("{}"), "{}");
}

TEST(Trim, IsNotMisledByWhatIsWithinValues) {
  EXPECT_EQ(trim(R"({"c":{"a":[1,{"b":2}]},"a":{"c":"}\",\\"},"d":["a"],"b":[[],{}]})"),
            R"({"a":{"c":"}\",\\"},"b":[[],{}]})");
  EXPECT_EQ(trim(R"({"c":"\\","a":"\"a\":1,"})"), R"({"a":"\"a\":1,"})");
}

TEST(Trim, ReadsAroundWhiteSpace) {
  EXPECT_EQ(json::print(*json::parse(trim(" { \"a\" : 1 ,\n\"c\" : [ 1 , 2 ] , \"b\" : { } } "))),
            R"({"a":1,"b":{}})");
}

TEST(Trim, ReadsNamesWithEscapes) {
  EXPECT_EQ(trim(R"({"\u0061":1,"c":2})"), R"({"a":1})");
  EXPECT_EQ(trim(R"({"x\"y":1,"c":2})", {"x\"y"}), R"({"x\"y":1})");
}

TEST(Trim, TrimsEachObjectOfAListAndNothingElse) {
  EXPECT_EQ(trim(R"([{"a":1,"c":2},3,{"c":4}])"), R"([{"a":1},3,{}])");
  EXPECT_EQ(trim("null"), "null");
  EXPECT_EQ(trim("\"a\""), "\"a\"");
}

Json any_json(int depth) {
  const auto text = [] { return *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127)); };
  switch (*rc::gen::inRange(0, depth > 0 ? 5 : 3)) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::inRange(-1'000, 1'000);
    case 2:
      return Json(text());
    case 3:
      return JsonArray{any_json(depth - 1), any_json(depth - 1)};
    default: {
      JsonObject object;
      for (const auto* name : {"a", "b", "c"}) {
        if (*rc::gen::arbitrary<bool>()) object[name] = any_json(depth - 1);
      }
      object[text()] = any_json(depth - 1);
      return object;
    }
  }
}

TEST(Trim, CutsATextAsItWouldTheValue) {
  EXPECT_TRUE(rc::check("members that are kept are the value's, and no others are", [] {
    const JsonObject whole{{"c", any_json(3)}, {"a", any_json(3)}, {"d", 1}, {"b", any_json(3)}};
    const auto kept = json::parse(trim(json::print(whole)));
    RC_ASSERT(kept.has_value());
    RC_ASSERT(*kept == Json(JsonObject{{"a", whole.at("a")}, {"b", whole.at("b")}}));
  }));
}

}  // namespace
}  // namespace toa::gateway
