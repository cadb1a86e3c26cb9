#include "cli/parked_choice.hpp"

#include <gtest/gtest.h>

namespace toa::cli {
namespace {

const std::string id = "0198c0de5eb1c0de5eb1c0de5eb1c0de";
const std::string other = "0198c0de5eb2c0de5eb1c0de5eb1c0de";

Json item(const std::string& identity, const char* endpoint) {
  return {{"id", identity}, {"endpoint", endpoint}};
}

Result<std::vector<std::string>> decide(const std::string& written, const JsonArray& items) {
  auto choice = ParkedChoice::of({written});
  if (!choice) return std::unexpected(choice.error());
  choice->meet(items);
  return choice->decide();
}

TEST(ParkedChoice, TakesTheBeginningOfOneId) {
  const JsonArray items{item(id, "a.b.c"), item(other, "a.b.c")};
  EXPECT_EQ(decide("0198c0de5eb1", items).value(), std::vector{id});
  EXPECT_EQ(decide("0198C0DE-5EB1", items).value(), std::vector{id});
  EXPECT_EQ(decide(id, items).value(), std::vector{id});
}

TEST(ParkedChoice, NamesTheChoicesOfABeginningThatSeveralHave) {
  const auto refused = decide("0198", {item(id, "a.b.c"), item(other, "a.b.d")});
  EXPECT_EQ(refused.error().message, "the id '0198' means several messages; write more of it:\n  " +
                                         id + "  a.b.c\n  " + other + "  a.b.d");
}

TEST(ParkedChoice, AsksForTheEndpointWhereTwoComponentsHaveOneId) {
  const auto refused = decide(id, {item(id, "a.b.c"), item(id, "a.x.c")});
  EXPECT_TRUE(refused.error().message.contains("choose with --endpoint:"));
}

TEST(ParkedChoice, TakesOneCallThatWaitsTwiceAsOne) {
  EXPECT_EQ(decide(id, {item(id, "a.b.c"), item(id, "a.b.c")}).value(), std::vector{id});
}

TEST(ParkedChoice, RefusesWhatIsNoId) {
  for (const auto& written : {std::string("xyz"), std::string(), id + "0", std::string("--")})
    EXPECT_FALSE(ParkedChoice::of({written})) << written;
}

TEST(ParkedChoice, RefusesAnIdThatNothingHas) {
  EXPECT_TRUE(decide("ff", {item(id, "a.b.c")}).error().message.contains("has the id 'ff'"));
}

TEST(ParkedChoice, NamesNoMoreThanAFew) {
  JsonArray items;
  for (int i = 100; i < 200; ++i) items.push_back(item(std::to_string(i) + id.substr(3), "a.b.c"));
  const auto message = decide("1", items).error().message;
  EXPECT_TRUE(message.ends_with("\n  …"));
  EXPECT_EQ(std::ranges::count(message, '\n'), 9);
}

}  // namespace
}  // namespace toa::cli
