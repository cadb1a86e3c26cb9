#include "operation/steps/ensure.hpp"

#include <gtest/gtest.h>

namespace toa::operation {
namespace {

JsonObject wanted(std::string_view text) {
  return json::parse(text)->as_object();
}

Object line(std::string properties) {
  return {.id = EntityId("l1"),
          .version = Version(1),
          .created = 1,
          .updated = 1,
          .deleted = {},
          .region = 0,
          .properties = std::move(properties)};
}

// R168
TEST(Ensure, AsksForSimplePropertiesAndComparesTheRest) {
  const auto asked = selection_like(wanted(R"({"key":"k","tags":["a"],"size":null})"));
  const auto& all = std::get<Criteria::All>(asked.criteria->node);
  ASSERT_EQ(all.parts.size(), 2u);
  const auto& first = std::get<Condition>(all.parts[0].node);
  EXPECT_EQ(first.selector, "key");
  EXPECT_EQ(first.comparison, Comparison::equal);
  EXPECT_EQ(first.operands[0].value, "k");
  EXPECT_FALSE(asked.ids);
}

TEST(Ensure, AnIdIsAskedForAsOne) {
  const auto asked = selection_like(wanted(R"({"id":"l1"})"));
  EXPECT_EQ(asked.ids, std::vector<EntityId>{EntityId("l1")});
  EXPECT_FALSE(asked.criteria);
}

TEST(Ensure, NullIsLikeAPropertyThatIsNotThere) {
  EXPECT_TRUE(is_like(line(R"({"key":"k"})"), wanted(R"({"key":"k","size":null})")));
  EXPECT_FALSE(is_like(line(R"({"key":"k","size":1})"), wanted(R"({"size":null})")));
  EXPECT_FALSE(is_like(line(R"({"key":"k"})"), wanted(R"({"size":1})")));
  EXPECT_FALSE(is_like(line(R"({"tags":["a","b"]})"), wanted(R"({"tags":["a"]})")));
}

}  // namespace
}  // namespace toa::operation
