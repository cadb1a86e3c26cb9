#include "model/match_criteria.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace toa {
namespace {

Condition condition(std::vector<Step> path, Comparison comparison, std::vector<Json> values) {
  Condition made{.selector = "typed", .comparison = comparison};
  made.path = std::move(path);
  for (auto& value : values) made.operands.push_back({std::move(value), false});
  return made;
}

bool holds(const Condition& asked, std::string_view members) {
  return matches(Criteria{asked}, *json::parse(members));
}

bool holds(std::vector<Step> path, Comparison comparison, std::vector<Json> values,
           std::string_view members) {
  return holds(condition(std::move(path), comparison, std::move(values)), members);
}

using enum Comparison;

TEST(Matches, ComparesValuesOfOneType) {
  const auto* five = R"({"a":5})";
  EXPECT_TRUE(holds({{"a"}}, equal, {5}, five));
  EXPECT_TRUE(holds({{"a"}}, equal, {5.0}, five));
  EXPECT_TRUE(holds({{"a"}}, less, {5.5}, five));
  EXPECT_FALSE(holds({{"a"}}, less, {5}, five));
  EXPECT_TRUE(holds({{"a"}}, at_most, {5}, five));
  EXPECT_TRUE(holds({{"a"}}, greater, {-1}, five));
  EXPECT_TRUE(holds({{"a"}}, at_least, {5}, five));
  EXPECT_FALSE(holds({{"a"}}, equal, {"5"}, five));
  EXPECT_TRUE(holds({{"a"}}, unequal, {"5"}, five));
  EXPECT_FALSE(holds({{"a"}}, less, {"6"}, five));
  EXPECT_FALSE(holds({{"a"}}, equal, {true}, R"({"a":1})"));
  EXPECT_TRUE(holds({{"a"}}, less, {true}, R"({"a":false})"));
  EXPECT_TRUE(holds({{"a"}}, greater, {"Z"}, R"({"a":"a"})"));
  EXPECT_TRUE(holds({{"a"}}, greater, {"z"}, R"({"a":"é"})"));
}

TEST(Matches, TakesAbsentForNull) {
  for (const auto* members : {"{}", R"({"a":null})"}) {
    EXPECT_TRUE(holds({{"a"}}, equal, {nullptr}, members));
    EXPECT_FALSE(holds({{"a"}}, unequal, {nullptr}, members));
    EXPECT_TRUE(holds({{"a"}}, in, {1, nullptr}, members));
    EXPECT_FALSE(holds({{"a"}}, out, {1, nullptr}, members));
    EXPECT_TRUE(holds({{"a"}}, out, {1, 2}, members));
    EXPECT_TRUE(holds({{"a"}}, unequal, {1}, members));
    EXPECT_FALSE(holds({{"a"}}, equal, {1}, members));
    EXPECT_FALSE(holds({{"a"}}, less, {1}, members));
    EXPECT_FALSE(holds({{"a"}}, at_least, {1}, members));
  }
  EXPECT_TRUE(holds({{"a"}, {"b"}}, equal, {nullptr}, R"({"a":5})"));
  EXPECT_TRUE(holds({{"a"}, {"b"}}, unequal, {nullptr}, R"({"a":{"b":0}})"));
}

TEST(Matches, HoldsForAListWhereSomeItemMeetsIt) {
  const std::vector<Step> items{{"a", true}, {"b"}};
  const auto* two = R"({"a":[{"b":1},{"b":2,"c":3},{}]})";
  EXPECT_TRUE(holds(items, equal, {2}, two));
  EXPECT_TRUE(holds(items, unequal, {2}, two));
  EXPECT_TRUE(holds(items, equal, {nullptr}, two));
  EXPECT_FALSE(holds(items, greater, {2}, two));
  EXPECT_TRUE(holds(items, equal, {nullptr}, "{}"));
  for (const auto comparison : {equal, unequal}) {
    EXPECT_FALSE(holds(items, comparison, {nullptr}, R"({"a":[]})"));
  }
  EXPECT_TRUE(holds({{"a", true}}, equal, {"x"}, R"({"a":["y","x"]})"));
  EXPECT_TRUE(holds({{"a"}}, unequal, {nullptr}, R"({"a":[]})"));
}

TEST(Matches, AsksItemsForEachConditionOnItsOwn) {
  const std::vector<Step> b{{"a", true}, {"b"}};
  const std::vector<Step> c{{"a", true}, {"c"}};
  const auto members = *json::parse(R"({"a":[{"b":1,"c":1},{"b":2,"c":2}]})");
  const Criteria both{Criteria::All{{{condition(b, equal, {1})}, {condition(c, equal, {2})}}}};
  EXPECT_TRUE(matches(both, members));
}

TEST(Matches, JoinsParts) {
  const Criteria yes{condition({{"a"}}, equal, {1})};
  const Criteria no{condition({{"a"}}, equal, {2})};
  const auto members = *json::parse(R"({"a":1})");
  EXPECT_TRUE(matches({Criteria::All{{yes, yes}}}, members));
  EXPECT_FALSE(matches({Criteria::All{{yes, no}}}, members));
  EXPECT_TRUE(matches({Criteria::Any{{no, yes}}}, members));
  EXPECT_FALSE(matches({Criteria::Any{{no, no}}}, members));
}

Json any_value() {
  return *rc::gen::element<Json>(nullptr, false, true, -1, 0, 1, 0.5, "", "a", "b", JsonArray{},
                                 JsonObject{});
}

// A second evaluator, which writes all values at the end of the path down before it looks at one.
void collect(const Json& value, std::size_t at, const std::vector<Step>& path,
             std::vector<Json>& leaves) {
  if (at == path.size()) return leaves.push_back(value);
  const auto* object = value.if_object();
  const auto* found = object == nullptr ? nullptr : object->if_contains(path[at].name);
  const Json next = found == nullptr ? Json() : *found;
  if (!path[at].list || !next.is_array()) return collect(next, at + 1, path, leaves);
  for (const auto& item : next.get_array()) collect(item, at + 1, path, leaves);
}

bool naively(const Json& leaf, Comparison comparison, const Json& operand) {
  const bool same = leaf.kind() == operand.kind() || (leaf.is_number() && operand.is_number());
  const bool comparable = same && !leaf.is_structured() && !leaf.is_null();
  const bool equals = (leaf.is_null() && operand.is_null()) ||
                      (comparable && json::print(leaf) == json::print(operand));
  bool less_than = false;
  if (comparable && leaf.is_number())
    less_than = leaf.to_number<double>() < operand.to_number<double>();
  if (comparable && leaf.is_string()) less_than = leaf.get_string() < operand.get_string();
  if (comparable && leaf.is_bool()) less_than = !leaf.get_bool() && operand.get_bool();
  if (comparison == equal) return equals;
  if (comparison == less) return less_than;
  if (comparison == at_most) return less_than || equals;
  if (comparison == greater) return comparable && !less_than && !equals;
  return comparable && !less_than;
}

bool naively(const Condition& asked, const Json& members) {
  std::vector<Json> leaves;
  collect(members, 0, asked.path, leaves);
  for (const auto& leaf : leaves) {
    bool any = false;
    for (const auto& operand : asked.operands) {
      const bool negated = asked.comparison == unequal || asked.comparison == out;
      const bool by_equality = negated || asked.comparison == in;
      any = any || naively(leaf, by_equality ? equal : asked.comparison, operand.value);
    }
    if (any != (asked.comparison == unequal || asked.comparison == out)) return true;
  }
  return false;
}

Json any_members(int depth) {
  if (depth == 0) return any_value();
  if (*rc::gen::inRange(0, 4) == 0) {
    JsonArray items;
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) items.push_back(any_members(depth - 1));
    return items;
  }
  JsonObject members;
  for (const auto* name : {"a", "b"}) {
    if (*rc::gen::arbitrary<bool>()) members[name] = any_members(depth - 1);
  }
  return members;
}

TEST(Matches, AgreesWithANaiveEvaluator) {
  EXPECT_TRUE(rc::check("matches", [] {
    Condition asked{.selector = "typed"};
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
      asked.path.push_back({*rc::gen::element<std::string>("a", "b"), *rc::gen::arbitrary<bool>()});
    }
    asked.comparison = static_cast<Comparison>(*rc::gen::inRange(0, 8));
    const bool ordered = asked.comparison >= less && asked.comparison <= at_least;
    do {
      auto value = any_value();
      if (value.is_structured() || (ordered && value.is_null())) value = 1;
      asked.operands.push_back({std::move(value), false});
    } while (asked.comparison >= in && *rc::gen::arbitrary<bool>());
    const auto members = any_members(3);
    RC_ASSERT(matches(Criteria{asked}, members) == naively(asked, members));
  }));
}

TEST(ComesBefore, OrdersByKeysThenById) {
  const auto before = [](const std::vector<Sort>& sort, std::string_view one,
                         std::string_view two) {
    return comes_before(sort, *json::parse(one), *json::parse(two));
  };
  EXPECT_TRUE(before({{"a"}}, R"({"id":"2","a":1})", R"({"id":"1","a":2})"));
  EXPECT_TRUE(before({{"a", true}}, R"({"id":"2","a":2})", R"({"id":"1","a":1})"));
  EXPECT_TRUE(before({{"a"}, {"b.c", true}}, R"({"id":"2","a":1,"b":{"c":2}})",
                     R"({"id":"1","a":1,"b":{"c":1}})"));
  EXPECT_TRUE(before({{"a", true}}, R"({"id":"1","a":1})", R"({"id":"2","a":1})"));
  EXPECT_FALSE(before({}, R"({"id":"1"})", R"({"id":"1"})"));
}

TEST(ComesBefore, PutsNoValueFirstThenNumbersThenTexts) {
  const std::vector<std::string> ascending{R"({"id":"9"})",           R"({"id":"8","a":-1})",
                                           R"({"id":"7","a":false})", R"({"id":"6","a":0.5})",
                                           R"({"id":"5","a":true})",  R"({"id":"4","a":""})",
                                           R"({"id":"3","a":"a"})"};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      const auto one = *json::parse(ascending[i]);
      const auto two = *json::parse(ascending[j]);
      EXPECT_EQ(comes_before({{"a"}}, one, two), i < j) << ascending[i] << ascending[j];
      EXPECT_EQ(comes_before({{"a", true}}, one, two), i > j) << ascending[i] << ascending[j];
    }
  }
}

TEST(MembersOf, AreThePropertiesAndTheSystemsOwn) {
  const Object written{EntityId("w1"), Version(2), 10, 20, 30, 0, R"({"a":1})"};
  EXPECT_EQ(members_of(written),
            *json::parse(R"({"a":1,"id":"w1","VERSION":2,"CREATED":10,"UPDATED":20,"DELETED":30,
                             "REGION":0})"));
  const Object blank{EntityId("w1"), Version(0), 0, 0, {}, 0, "{}"};
  EXPECT_TRUE(members_of(blank).at("CREATED").is_null());
}

}  // namespace
}  // namespace toa
