#include "operation/steps/page.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "model/match_criteria.hpp"

namespace toa::operation {
namespace {

const Place there{.taken = 7, .id = EntityId("m"), .created = 50};

std::string criteria_after(std::vector<Sort> sort) {
  const Selection whole{.sort = std::move(sort)};
  return print(*page_after(whole, there).criteria);
}

TEST(Place, IsReadAsItWasWritten) {
  const auto read = Place::read(there.print());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->taken, 7);
  EXPECT_EQ(read->id.value, "m");
  EXPECT_EQ(read->created, 50);
  for (const auto* no : {"null", "[]", R"([1,"m"])", R"([-1,"m",5])", R"(["1","m",5])"})
    EXPECT_FALSE(Place::read(*json::parse(no))) << no;
}

// spec core 6.7: by `id` unless the query says otherwise; ties on CREATED by `id`.
TEST(PageAfter, BeginsAtAnObjectWhereTheOrderIsSteady) {
  EXPECT_EQ(criteria_after({}), "id>m");
  EXPECT_EQ(criteria_after({{"id"}}), "id>m");
  EXPECT_EQ(criteria_after({{"id", true}}), "id<m");
  EXPECT_EQ(criteria_after({{"CREATED"}}), "CREATED>50,CREATED==50;id>m");
  EXPECT_EQ(criteria_after({{"CREATED", true}}), "CREATED<50,CREATED==50;id>m");
}

TEST(PageAfter, CountsWhereItIsNot) {
  const Selection whole{.sort = {{"price"}}};
  const auto page = page_after(whole, there);
  EXPECT_FALSE(page.criteria);
  EXPECT_EQ(page.omit, 7);
}

TEST(PageAfter, KeepsWhatIsSelectedAndItsLimit) {
  const Selection whole{.criteria = *parse_criteria("a==1"), .limit = 9};
  EXPECT_EQ(page_after(whole, std::nullopt).limit, 9);
  const auto page = page_after(whole, there);
  EXPECT_EQ(print(*page.criteria), "a==1;id>m");
  EXPECT_EQ(page.limit, 2);
  EXPECT_EQ(page_after({}, there).limit, limits::stream_page);
  EXPECT_EQ(page_after({}, std::nullopt).sort, std::vector<Sort>{{"id"}}) << "else they are any";
  EXPECT_EQ(page_after({.limit = 7}, there).limit, 0);
}

}  // namespace
}  // namespace toa::operation
