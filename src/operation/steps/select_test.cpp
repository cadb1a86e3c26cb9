#include "operation/steps/select.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/match_criteria.hpp"
#include "operation/steps/path.hpp"

namespace toa::operation {
namespace {

using manifest::Contract;
using manifest::Entity;
using manifest::Moment;

Entity library() {
  const auto properties = *json::parse(R"({
    "title": {"type":"string"}, "pages": {"type":"integer"}, "price": {"type":["number","null"]},
    "lent": {"type":"boolean"}, "due": {"type":"string","format":"date-time"},
    "seen": {"type":"integer","format":"epoch-millis"}, "tags": {"type":"array","items":{"type":"string"}},
    "grid": {"type":"array","items":{"type":"array","items":{"type":"number"}}},
    "stage": {"enum":["in","out",null]}, "code": {"type":["string","integer"]}, "anything": true,
    "soil": {"type":"object","properties":{"ph":{"type":"number"},"kind":{"type":"string"},
             "read":{"type":"string","format":"date-time"}}},
    "copies": {"type":"array","items":{"$ref":"#/definitions/copy"}},
    "paid": {"type":"object","additionalProperties":{"type":"integer"}},
    "named": {"type":"object","patternProperties":{"^x_":{"type":"boolean"}},"additionalProperties":false},
    "one": {"oneOf":[{"type":"object","properties":{"a":{"type":"number"}}},
                     {"type":"object","properties":{"b":{"type":"string"}}}]}
  })");
  const Json schema{
      {"type", "object"},
      {"properties", properties},
      {"additionalProperties", false},
      {"definitions",
       {{"copy", *json::parse(R"({"type":"object","properties":{"shelf":{"type":"integer"},
                          "notes":{"type":"array","items":{"type":"object",
                                   "properties":{"by":{"type":"string"}}}}}})")}}}};
  Entity entity{.properties = properties,
                .required = {},
                .blank = {},
                .storage = "sqlite",
                .moments = {},
                .contract = *Contract::compile(schema)};
  entity.moments = {{"due", Moment::Form::iso}, {"seen", Moment::Form::epoch_millis}};
  return entity;
}

/// The typed condition as `path comparison values`, lists marked by `[]`; or what was said instead.
std::string typed(std::string_view criteria) {
  const auto selection = selection_of(library(), {.criteria = std::string(criteria)});
  if (!selection) {
    EXPECT_EQ(selection.error().code, Code::query_syntax);
    return selection.error().message;
  }
  const auto& condition = std::get<Condition>(selection->criteria->node);
  std::string out;
  for (const auto& step : condition.path) {
    out += (out.empty() ? "" : ".") + step.name + (step.list ? "[]" : "");
  }
  for (const auto& operand : condition.operands) out += " " + json::print(operand.value);
  return out;
}

std::string refusal(const Query& query) {
  const auto selection = selection_of(library(), query);
  if (selection) return "";
  EXPECT_EQ(selection.error().code, Code::query_syntax);
  return selection.error().message;
}

TEST(SelectionOf, GivesValuesTheTypeAtTheEndOfThePath) {
  const std::pair<const char*, const char*> cases[] = {
      {"title==5", R"(title "5")"},
      {"title=='a b'", R"(title "a b")"},
      {"pages>=100", "pages 100"},
      {"pages=='100'", "pages 100"},
      {"pages>1.5", "pages 1.5"},
      {"price<1e2", "price 100"},
      {"lent==true", "lent true"},
      {"soil.ph>6.5", "soil.ph 6.5"},
      {"soil.kind==6.5", R"(soil.kind "6.5")"},
      {"paid.w1==3", "paid.w1 3"},
      {"named.x_1==true", "named.x_1 true"},
      {"one.a==1", "one.a 1"},
      {"one.b==1", R"(one.b "1")"},
      {"pages=in=(1,2,3)", "pages 1 2 3"},
      {"stage==in", R"(stage "in")"},
      {"stage=out=(in,null)", R"(stage "in" null)"},
  };
  for (const auto& [criteria, says] : cases) EXPECT_EQ(typed(criteria), says) << criteria;
}

TEST(SelectionOf, ChoosesAmongTypesByTheLookOfAValue) {
  EXPECT_EQ(typed("code==5"), "code 5");
  EXPECT_EQ(typed("code=='5'"), R"(code "5")");
  EXPECT_EQ(typed("code==abc"), R"(code "abc")");
  EXPECT_EQ(typed("anything==5"), "anything 5");
  EXPECT_EQ(typed("anything==true"), "anything true");
  EXPECT_EQ(typed("anything=='true'"), R"(anything "true")");
  EXPECT_EQ(typed("anything==abc"), R"(anything "abc")");
}

TEST(SelectionOf, PassesThroughLists) {
  EXPECT_EQ(typed("tags==red"), R"(tags[] "red")");
  EXPECT_EQ(typed("copies.shelf==3"), "copies[].shelf 3");
  EXPECT_EQ(typed("copies.notes.by==ann"), R"(copies[].notes[].by "ann")");
  EXPECT_EQ(typed("tags==null"), "tags null");
  EXPECT_EQ(typed("tags=in=(null,red)"), R"(tags[] null "red")");
  EXPECT_EQ(typed("copies.notes!=undefined"), "copies[].notes null");
  EXPECT_EQ(typed("grid==1"),
            "Criteria selector 'grid' holds no single value, and takes null alone");
}

TEST(SelectionOf, KeepsMomentsInTheFormInWhichTheyAreStored) {
  EXPECT_EQ(typed("due>2026-02-03T04:05:06+01:00"), R"(due "2026-02-03T03:05:06.000Z")");
  EXPECT_EQ(typed("seen>2026-02-03T03:05:06Z"), "seen 1770087906000");
  EXPECT_EQ(typed("seen>1770087906000"), "seen 1770087906000");
  EXPECT_EQ(typed("soil.read>2026-02-03"), R"(soil.read "2026-02-03")");
  EXPECT_EQ(typed("due==soon"), "Criteria selector 'due' takes a date-time, and 'soon' is not one");
  EXPECT_EQ(
      typed("seen==soon"),
      "Criteria selector 'seen' takes a date-time or milliseconds since the epoch, and 'soon' "
      "is not one");
}

TEST(SelectionOf, KnowsSystemProperties) {
  EXPECT_EQ(typed("id==5"), R"(id "5")");
  EXPECT_EQ(typed("VERSION>1"), "VERSION 1");
  EXPECT_EQ(typed("CREATED>2026-02-03T03:05:06Z"), "CREATED 1770087906000");
  EXPECT_EQ(typed("UPDATED<5"), "UPDATED 5");
  EXPECT_EQ(typed("DELETED==null"), "DELETED null");
  EXPECT_EQ(typed("REGION==0"), "REGION 0");
  EXPECT_EQ(typed("DISCARD==true"), "Criteria selector 'DISCARD' is not defined");
}

TEST(SelectionOf, RefusesWhatIsNotDefined) {
  for (const auto* path :
       {"a", "soil.a", "title.a", "pages.1", "tags.0", "copies.a", "named.y", "paid.a.b", "one.c",
        "id.a", "VERSION.a", "soil.", ".soil", "soil..ph", "."}) {
    EXPECT_EQ(typed(std::string(path) + "==1"),
              "Criteria selector '" + std::string(path) + "' is not defined");
  }
}

TEST(SelectionOf, RefusesValuesOfNoTypeThere) {
  EXPECT_EQ(typed("pages==abc"), "Criteria selector 'pages' takes a number, and 'abc' is not one");
  EXPECT_EQ(typed("pages=in=(1,abc)"),
            "Criteria selector 'pages' takes a number, and 'abc' is not one");
  for (const auto* text : {"", " 1", "1 ", "0x10", "1e400", "9007199254740993", "NaN", "true"}) {
    EXPECT_EQ(typed(fmt::format("pages=='{}'", text)),
              fmt::format("Criteria selector 'pages' takes a number, and '{}' is not one", text));
  }
  EXPECT_EQ(typed("lent==1"), "Criteria selector 'lent' takes a boolean, and '1' is not one");
  EXPECT_EQ(typed("soil==x"),
            "Criteria selector 'soil' holds no single value, and takes null alone");
  EXPECT_EQ(typed("copies==x"),
            "Criteria selector 'copies' holds no single value, and takes null alone");
  EXPECT_EQ(typed("soil==null"), "soil null");
}

TEST(SelectionOf, TakesNullForNoValueWhereEqualityIsAsked) {
  for (const auto* text :
       {"title==null", "title!=null", "title=in=(null)", "title=out=(null)", "title==undefined"}) {
    EXPECT_EQ(typed(text), "title null") << text;
  }
  EXPECT_EQ(typed("title=='null'"), R"(title "null")");
  EXPECT_EQ(typed("title>'null'"), R"(title "null")");
  EXPECT_EQ(typed("pages=='null'"),
            "Criteria selector 'pages' takes a number, and 'null' is not one");
  for (const auto* symbol : {"<", "<=", ">", ">="}) {
    EXPECT_EQ(
        typed("pages" + std::string(symbol) + "null"),
        "Criteria selector 'pages' cannot be compared with null by '" + std::string(symbol) + "'");
  }
  EXPECT_EQ(typed("pages>undefined"),
            "Criteria selector 'pages' cannot be compared with undefined by '>'");
}

TEST(SelectionOf, SaysWhereCriteriaCannotBeRead) {
  EXPECT_EQ(typed("pages=="), "Criteria cannot be read at character 8: a value is expected");
  EXPECT_EQ(typed(""), "Criteria cannot be read at character 1: a selector is expected");
}

TEST(SelectionOf, TypesEveryPart) {
  EXPECT_EQ(refusal({.criteria = "pages==1,(lent==true;copies.shelf==2)"}), "");
  EXPECT_EQ(refusal({.criteria = "pages==1,(lent==true;copies.shelf==x)"}),
            "Criteria selector 'copies.shelf' takes a number, and 'x' is not one");
}

TEST(SelectionOf, RefusesAnOrderWithoutSingleValues) {
  for (const auto* path : {"title", "soil.ph", "CREATED", "id", "anything", "stage", "due"}) {
    EXPECT_EQ(refusal({.sort = std::vector<Sort>{{path}}}), "") << path;
  }
  EXPECT_EQ(refusal({.sort = std::vector<Sort>{{"title"}, {"soil.a"}}}),
            "Query sort 'soil.a' is not defined");
  for (const auto* path : {"soil", "tags", "copies", "copies.shelf", "grid"}) {
    EXPECT_EQ(refusal({.sort = std::vector<Sort>{{path}}}),
              "Query sort '" + std::string(path) + "' leads to no single value");
  }
}

TEST(SelectionOf, RefusesAProjectionThatIsNotDefined) {
  EXPECT_EQ(refusal({.projection = std::vector<std::string>{"soil", "copies.shelf", "VERSION"}}),
            "");
  EXPECT_EQ(refusal({.projection = std::vector<std::string>{"soil.a"}}),
            "Query projection 'soil.a' is not defined");
}

TEST(SelectionOf, NamesEachObjectOnce) {
  const auto ids = [](const Query& query) { return selection_of(library(), query)->ids; };
  EXPECT_EQ(ids({.id = EntityId("b")}), std::vector{EntityId("b")});
  EXPECT_EQ(ids({.ids = std::vector{EntityId("b"), EntityId("a"), EntityId("b")}}),
            (std::vector{EntityId("a"), EntityId("b")}));
  EXPECT_EQ(ids({.limit = 1}), std::nullopt);
}

TEST(SelectionOf, CarriesTheRest) {
  const auto selection = selection_of(library(), {.search = "tea",
                                                  .sort = std::vector<Sort>{{"title", true}},
                                                  .omit = 2,
                                                  .limit = 3,
                                                  .sample = 4,
                                                  .deleted = true});
  ASSERT_TRUE(selection);
  EXPECT_EQ(selection->search, "tea");
  EXPECT_EQ(selection->sort, (std::vector<Sort>{{"title", true}}));
  EXPECT_EQ(selection->omit, 2);
  EXPECT_EQ(selection->limit, 3);
  EXPECT_EQ(selection->sample, 4);
  EXPECT_TRUE(selection->deleted);
}

}  // namespace
}  // namespace toa::operation
