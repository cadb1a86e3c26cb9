#pragma once

#include <algorithm>

#include "base/limits.hpp"
#include "base/random.hpp"
#include "model/match_criteria.hpp"
#include "storage/conformance_fixture.hpp"
#include "storage/shuffle.hpp"

/// What every storage must find. Include it beside `conformance.hpp`.
namespace toa::storage::conformance {

/// Objects and selections of every shape, ill-typed values among them.
class Drawn {
 public:
  explicit Drawn(std::uint64_t seed) : random_(seed) {}

  Object object(int number) {
    JsonObject properties;
    if (chance(8)) properties["name"] = text();
    if (chance(8)) properties["pages"] = number_or(0);
    if (chance(6)) properties["lent"] = chance(5);
    if (chance(7)) properties["terms"] = terms();
    if (chance(7)) properties["tags"] = list([this] { return scalar(); });
    if (chance(7)) properties["items"] = list([this] { return item(); });
    if (chance(1)) properties["items"] = item();
    if (chance(1)) properties["pages"] = scalar();
    if (chance(1)) properties["name"] = scalar();
    return {.id = EntityId("o" + std::to_string(number * 7919 % 1000)),
            .version = Version(1),
            .created = start + pick(5),
            .updated = start,
            .deleted = chance(2) ? std::optional(start + pick(3)) : std::nullopt,
            .region = static_cast<int>(pick(2)),
            .properties = json::print(properties)};
  }

  Criteria criteria(int depth = 2) {
    if (depth == 0 || chance(4)) return one_condition();
    std::vector<Criteria> parts;
    for (auto count = 2 + pick(2); count > 0; --count) parts.push_back(criteria(depth - 1));
    if (chance(5)) return {Criteria::All{std::move(parts)}};
    return {Criteria::Any{std::move(parts)}};
  }

  Selection selection() {
    Selection selection{.seed = random_.next()};
    selection.deleted = chance(4);
    if (chance(8)) selection.criteria = criteria();
    if (chance(2)) selection.ids = ids();
    for (auto keys = chance(6) ? pick(3) : 0; keys > 0; --keys)
      selection.sort.push_back({sorted_paths[pick_size(sorted_paths.size())], chance(4)});
    if (chance(2)) selection.sample = 1 + pick(10);
    if (chance(4)) selection.limit = 1 + pick(10);
    if (chance(3)) selection.omit = pick(10);
    return selection;
  }

 private:
  static constexpr std::array sorted_paths{"name",  "pages",   "lent",    "terms.due",
                                           "items", "CREATED", "DELETED", "terms.note"};

  /// In tenths.
  bool chance(std::uint64_t tenths) { return random_.below(10) < tenths; }
  std::int64_t pick(std::uint64_t below) { return static_cast<std::int64_t>(random_.below(below)); }
  std::size_t pick_size(std::size_t below) { return random_.below(below); }

  Json text() {
    constexpr std::array texts{"",     "a", "A",     "ab", "b",    "1",
                               "true", "ż", "\"x\"", "[]", "it's", "{}"};
    return texts[pick_size(texts.size())];
  }
  Json number() {
    if (chance(6)) return pick(4) - 1;
    constexpr std::array numbers{0.1, 0.30000000000000004, 1.5, 1e-7, 1e300, -2.25, 123456.789};
    return numbers[pick_size(numbers.size())];
  }
  Json number_or(std::uint64_t) { return chance(1) ? Json() : number(); }
  Json scalar() {
    if (chance(1)) return nullptr;
    if (chance(2)) return chance(5);
    return chance(5) ? text() : number();
  }
  template <class Make>
  Json list(Make make) {
    JsonArray items;
    for (auto count = pick(3); count > 0; --count) items.push_back(make());
    return items;
  }
  Json terms() {
    JsonObject made;
    if (chance(8)) made["due"] = number();
    if (chance(8)) made["note"] = text();
    return made;
  }
  Json item() {
    if (chance(1)) return scalar();
    JsonObject made;
    if (chance(8)) made["sku"] = text();
    if (chance(8)) made["n"] = number();
    if (chance(5)) made["parts"] = list([this] { return terms(); });
    return made;
  }
  std::vector<EntityId> ids() {
    std::vector<EntityId> made;
    for (auto count = pick(20); count > 0; --count)
      made.emplace_back("o" + std::to_string(pick(60) * 7919 % 1000));
    return made;
  }
  Criteria one_condition() {
    static const std::vector<std::vector<Step>> paths{
        {{"name"}},
        {{"pages"}},
        {{"lent"}},
        {{"terms"}, {"due"}},
        {{"terms"}, {"note"}},
        {{"tags", true}},
        {{"items", true}, {"sku"}},
        {{"items", true}, {"n"}},
        {{"items", true}, {"parts", true}, {"note"}},
        {{"absent"}},
        {{"id"}},
        {{"DELETED"}},
        {{"REGION"}},
    };
    constexpr std::array comparisons{Comparison::equal,   Comparison::unequal, Comparison::less,
                                     Comparison::at_most, Comparison::greater, Comparison::at_least,
                                     Comparison::in,      Comparison::out};
    const auto comparison = comparisons[pick_size(comparisons.size())];
    std::vector<Json> values{scalar()};
    if (comparison == Comparison::in || comparison == Comparison::out)
      for (auto more = pick(3); more > 0; --more) values.push_back(scalar());
    return condition(paths[pick_size(paths.size())], comparison, std::move(values));
  }

  SeededRandom random_;
};

class ConformanceFind : public Conformance {
 protected:
  std::vector<Object> find(Selection selection) {
    auto found = loop_.run_until(storage().find(wallets, std::move(selection)));
    EXPECT_TRUE(found) << found.error().message;
    return found ? *std::move(found) : std::vector<Object>();
  }
  std::vector<std::string> ids(Selection selection) {
    std::vector<std::string> ids;
    for (auto& object : find(std::move(selection))) ids.push_back(std::move(object.id.value));
    return ids;
  }
  void keep(Object object) {
    Write write{wallets, Version(0), std::move(object)};
    EXPECT_TRUE(is_stored(commit({.writes = {std::move(write)}})));
  }
  void keep(std::string id, std::string properties) {
    keep(write(std::move(id), 0, std::move(properties)).next);
  }
  std::vector<Object> keep_drawn(Drawn& drawn, const std::string& suffix) {
    std::vector<Object> kept;
    Unit unit;
    for (int i = 0; i < 60; ++i) {
      kept.push_back(drawn.object(i));
      kept.back().id.value += suffix;
      unit.writes.push_back({wallets, Version(0), kept.back()});
    }
    EXPECT_TRUE(is_stored(commit(std::move(unit))));
    return kept;
  }
};

using Ids = std::vector<std::string>;

/// What is to be found, by looking at every object.
inline std::vector<Object> naive(const std::vector<Object>& kept, const Selection& selection) {
  std::vector<Object> found;
  for (const auto& object : kept) {
    if (object.deleted && !selection.deleted) continue;
    if (selection.ids && std::ranges::count(*selection.ids, object.id) == 0) continue;
    if (!selection.criteria || matches(*selection.criteria, members_of(object)))
      found.push_back(object);
  }
  const auto first = [&](std::int64_t count) {
    if (count < std::ssize(found)) found.resize(static_cast<std::size_t>(count));
  };
  if (selection.sample) {
    std::ranges::sort(found, {}, [&](const Object& object) {
      return shuffled_place(object.id.value, selection.seed);
    });
    first(*selection.sample);
  }
  std::ranges::sort(found, [&](const Object& one, const Object& two) {
    return comes_before(selection.sort, members_of(one), members_of(two));
  });
  found.erase(found.begin(), found.begin() + std::min(selection.omit, std::ssize(found)));
  if (selection.limit) first(*selection.limit);
  return found;
}

TEST_P(ConformanceFind, FindsNothingWhereNothingIsKept) {
  EXPECT_EQ(find({}), std::vector<Object>());
}

TEST_P(ConformanceFind, FindsObjectsAsTheyWereStored) {
  const auto one = write("a", 0, R"({"name":"x","n":1.50})").next;
  keep(one);
  EXPECT_EQ(find({.criteria = is("name", "x")}), std::vector{one});
}

TEST_P(ConformanceFind, FindsWhatWasCommittedBefore) {
  for (int i = 0; i < 20; ++i) {
    keep("o" + std::to_string(i), "{}");
    EXPECT_EQ(find({}).size(), static_cast<std::size_t>(i) + 1);
  }
}

TEST_P(ConformanceFind, LeavesOutOtherComponents) {
  auto other = write("b", 0, "{}");
  other.component = ComponentId("shop.Wallets");
  EXPECT_TRUE(is_stored(commit({.writes = {std::move(other)}})));
  keep("a", "{}");
  EXPECT_EQ(ids({}), Ids{"a"});
}

TEST_P(ConformanceFind, LeavesOutDeletedObjectsUnlessAsked) {
  auto deleted = write("a", 0, "{}").next;
  deleted.deleted = start;
  keep(deleted);
  keep("b", "{}");
  EXPECT_EQ(ids({}), Ids{"b"});
  EXPECT_EQ(ids({.deleted = true}), (Ids{"a", "b"}));
  EXPECT_EQ(ids({.ids = std::vector{EntityId("a")}}), Ids{});
}

TEST_P(ConformanceFind, SelectsByIds) {
  const std::string with_zero("a\0b", 3);
  for (const auto& id : {std::string("a"), std::string("b"), with_zero}) keep(id, "{}");
  EXPECT_EQ(ids({.ids = std::vector{EntityId("b"), EntityId("x"), EntityId(with_zero)}}),
            (Ids{with_zero, "b"}));
  EXPECT_EQ(ids({.ids = std::vector<EntityId>()}), Ids{});
}

TEST_P(ConformanceFind, OrdersNoValueFirstAndEqualsByTheirIds) {
  keep("c", R"({"n":2})");
  keep("a", R"({"n":1})");
  keep("b", R"({"n":1})");
  keep("d", "{}");
  EXPECT_EQ(ids({.sort = {{"n"}}}), (Ids{"d", "a", "b", "c"}));
  EXPECT_EQ(ids({.sort = {{"n", true}}}), (Ids{"c", "a", "b", "d"}));
  EXPECT_EQ(ids({.sort = {{"n"}}, .omit = 1, .limit = 2}), (Ids{"a", "b"}));
}

TEST_P(ConformanceFind, TakesValuesForWhatTheyAre) {
  keep("a", R"({"name":"' OR 1=1 --","we\"ird":1,"$x":2})");
  keep("b", R"({"name":"x"})");
  EXPECT_EQ(ids({.criteria = is("name", "' OR 1=1 --")}), Ids{"a"});
  EXPECT_EQ(ids({.criteria = is("name", "x' OR '1'='1")}), Ids{});
  EXPECT_EQ(ids({.criteria = is("$x", 2)}), Ids{"a"});
  EXPECT_EQ(ids({.criteria = is("x') OR 1=1 --", 2)}), Ids{});
}

TEST_P(ConformanceFind, DrawsASampleOfWhatMatches) {
  for (int i = 0; i < 40; ++i)
    keep("o" + std::to_string(i), "{\"odd\":" + std::to_string(i % 2) + "}");
  Selection selection{.criteria = is("odd", 1), .sample = 5, .seed = 7};
  const auto drawn = ids(selection);
  EXPECT_EQ(drawn.size(), 5u);
  for (const auto& id : drawn) EXPECT_EQ(std::stoi(id.substr(1)) % 2, 1);
  EXPECT_EQ(ids(selection), drawn);
  selection.seed = 8;
  EXPECT_NE(ids(selection), drawn);
}

TEST_P(ConformanceFind, FindsWhatEveryObjectLookedAtWouldGive) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Drawn drawn(seed);
    const auto kept = keep_drawn(drawn, "-" + std::to_string(seed));
    const auto of_this_seed = condition({{"id"}}, Comparison::in, [&] {
      std::vector<Json> values;
      for (const auto& object : kept) values.emplace_back(object.id.value);
      return values;
    }());
    for (int i = 0; i < 300; ++i) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", selection " << i);
      auto selection = drawn.selection();
      if (selection.ids)
        for (auto& id : *selection.ids) id.value += "-" + std::to_string(seed);
      selection.criteria = selection.criteria
                               ? Criteria{Criteria::All{{*selection.criteria, of_this_seed}}}
                               : of_this_seed;
      // Which objects a limit leaves is said by an order only.
      if (selection.limit && selection.sort.empty()) selection.sort = {{"id"}};
      ASSERT_EQ(find(selection), naive(kept, selection));
    }
  }
}

TEST_P(ConformanceFind, TakesAsManyConditionsAsCriteriaMayHave) {
  keep("a", R"({"items":[{"sku":"x","parts":[{"note":"y"}]}]})");
  const std::vector<Step> path{{"items", true}, {"parts", true}, {"note"}};
  std::vector<Criteria> parts(limits::criteria_conditions_max,
                              condition(path, Comparison::unequal, {"x"}));
  EXPECT_EQ(ids({.criteria = Criteria{Criteria::All{parts}}}), Ids{"a"});
  EXPECT_EQ(ids({.criteria = Criteria{Criteria::Any{parts}}}), Ids{"a"});
  const std::vector<Json> operands(limits::criteria_operands_max, Json("y"));
  EXPECT_EQ(ids({.criteria = condition(path, Comparison::in, operands)}), Ids{"a"});
  const std::vector<EntityId> many(limits::query_ids_max, EntityId("a"));
  EXPECT_EQ(ids({.ids = many}), Ids{"a"});
}

TEST_P(ConformanceFind, LeavesAsManyAsTheLimitWithoutAnOrder) {
  for (int i = 0; i < 10; ++i) keep("o" + std::to_string(i), "{}");
  const auto found = ids({.limit = 4});
  EXPECT_EQ(found.size(), 4u);
  EXPECT_TRUE(std::ranges::is_sorted(found));
}

}  // namespace toa::storage::conformance
