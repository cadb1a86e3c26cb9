#include "operation/steps/query_rules.hpp"

#include <gtest/gtest.h>

namespace toa::operation {
namespace {

using manifest::Operation;
using manifest::QueryRule;
using manifest::Scope;
using manifest::Type;

Operation over(Type type, Scope scope) {
  Operation made;
  made.label = "shop.orders.list";
  made.type = type;
  made.scope = scope;
  return made;
}

std::string said(const Operation& called, std::string_view query) {
  Request request;
  if (!query.empty()) request.query = *Query::read(*json::parse(query));
  const auto refused = check_query(called, request);
  if (!refused) return "";
  EXPECT_EQ(refused->code, Code::request_contract);
  return refused->message;
}

const auto entry = over(Type::transition, Scope::entry);
const auto entries = over(Type::transition, Scope::entries);
const auto changeset = over(Type::assignment, Scope::changeset);
const auto observation = over(Type::observation, Scope::entry);
const auto list = over(Type::observation, Scope::entries);
const auto effect = over(Type::effect, Scope::entry);
const auto stream = over(Type::observation, Scope::stream);
const auto effects = over(Type::effect, Scope::entries);

TEST(CheckQuery, HoldsAQueryAgainstWhatIsDeclared) {
  auto must = entry;
  must.query = QueryRule::must;
  auto must_not = entry;
  must_not.query = QueryRule::must_not;
  EXPECT_EQ(said(must, ""), "must have required property 'query'");
  EXPECT_EQ(said(must, R"({"id":"w1"})"), "");
  EXPECT_EQ(said(must_not, ""), "");
  EXPECT_EQ(said(must_not, R"({"id":"w1"})"), "'shop.orders.list' accepts no query");
}

TEST(CheckQuery, IsForOperationsThatAreGivenState) {
  for (const auto type : {Type::computation, Type::effect, Type::unmanaged}) {
    EXPECT_EQ(said(over(type, Scope::none), R"({"id":"w1"})"),
              "'shop.orders.list' accepts no query");
    EXPECT_EQ(said(over(type, Scope::none), ""), "");
  }
}

TEST(CheckQuery, MayBeAbsentOnlyWhereOneObjectIsGiven) {
  for (const auto& called : {entry, observation, effect}) EXPECT_EQ(said(called, ""), "");
  for (const auto& called : {entries, changeset, list, effects}) {
    EXPECT_EQ(said(called, ""), "must have required property 'query'");
  }
}

TEST(CheckQuery, SelectsOneObjectByAnythingThatNamesIt) {
  for (const auto& called : {entry, changeset, observation, effect}) {
    for (const auto* query : {R"({"id":"w1"})", R"({"ids":["w1","w2"]})", R"({"criteria":"a==1"})",
                              R"({"search":"tea"})", R"({"sort":["CREATED:desc"]})",
                              R"({"id":"w1","criteria":"a==1","deleted":true})"}) {
      EXPECT_EQ(said(called, query), "") << query;
    }
    for (const auto* query : {"{}", R"({"deleted":true})"}) {
      EXPECT_EQ(said(called, query),
                "query must have one of the properties 'id', 'ids', 'criteria', 'search', 'sort'");
    }
    EXPECT_EQ(said(called, R"({"id":"w1","ids":["w2"]})"),
              "query must NOT have both 'id' and 'ids'");
  }
}

TEST(CheckQuery, TakesPagesForEntriesOnly) {
  for (const auto& called : {entry, changeset, observation, effect}) {
    EXPECT_EQ(said(called, R"({"id":"w1","limit":1})"),
              "query/limit is only for operations over entries");
    EXPECT_EQ(said(called, R"({"id":"w1","omit":1,"sort":["a"]})"),
              "query/omit is only for operations over entries");
    EXPECT_EQ(said(called, R"({"id":"w1","sample":1})"),
              "query/sample is only for operations over entries");
  }
}

TEST(CheckQuery, AsksEntriesForABound) {
  for (const auto& called : {entries, list, effects}) {
    for (const auto* query :
         {"{}", R"({"criteria":"a==1"})", R"({"id":"w1"})", R"({"sample":1})"}) {
      EXPECT_EQ(said(called, query), "query must have property 'ids' or 'limit'") << query;
    }
    for (const auto* query :
         {R"({"limit":1})", R"({"ids":[]})", R"({"sample":3,"limit":3})",
          R"({"limit":5,"omit":5,"sort":["a"]})", R"({"ids":["a"],"limit":5,"criteria":"a==1"})"}) {
      EXPECT_EQ(said(called, query), "") << query;
    }
  }
}

TEST(CheckQuery, OmitsOnlyWhatIsInOrder) {
  for (const auto* query : {R"({"limit":1,"omit":1})", R"({"limit":1,"omit":1,"sort":[]})"}) {
    EXPECT_EQ(said(list, query), "query must have property 'sort' when property 'omit' is present");
  }
}

// spec core 6.5
TEST(CheckQuery, StreamsAllThatIsSelectedAndAFirstPartInAnOrderOfItsOwn) {
  for (const auto* query :
       {"", "{}", R"({"criteria":"a==1","sort":["a","b:desc"]})",
        R"({"ids":["a"],"projection":["a"]})", R"({"limit":1})",
        R"({"limit":1,"sort":["id:desc"]})", R"({"limit":1,"sort":["CREATED"]})"}) {
    EXPECT_EQ(said(stream, query), "") << query;
  }
  for (const auto* sort : {R"(["a"])", R"(["CREATED","id"])"}) {
    EXPECT_EQ(said(stream, std::string(R"({"limit":1,"sort":)") + sort + "}"),
              "query/sort of a stream with property 'limit' must be by 'id' or 'CREATED' alone");
  }
  EXPECT_EQ(said(stream, R"({"omit":1})"), "query/omit is only for operations over entries");
  EXPECT_EQ(said(stream, R"({"sample":1})"), "query/sample is only for operations over entries");
}

// R168
TEST(CheckQuery, IsNotAskedOfAnEffectThatIsGivenByEntity) {
  auto must = effect;
  must.query = QueryRule::must;
  Request request;
  request.entity = Document::of(JsonObject{{"key", "a"}});
  EXPECT_FALSE(check_query(must, request));
}

TEST(CheckQuery, TakesVersionsForWritersOfOneObject) {
  const auto* version = R"({"id":"w1","version":1})";
  for (const auto& called : {entry, changeset, effect}) EXPECT_EQ(said(called, version), "");
  EXPECT_EQ(said(observation, version), "query/version is not for observations");
  EXPECT_EQ(said(list, R"({"limit":1,"version":1})"), "query/version is not for observations");
  EXPECT_EQ(said(entries, R"({"limit":1,"version":1})"),
            "query/version is only for operations over one object");
}

TEST(CheckQuery, TakesProjectionsForObservations) {
  EXPECT_EQ(said(observation, R"({"id":"w1","projection":["a"]})"), "");
  EXPECT_EQ(said(list, R"({"limit":1,"projection":["a"]})"), "");
  for (const auto& called : {entry, changeset, effect}) {
    EXPECT_EQ(said(called, R"({"id":"w1","projection":["a"]})"),
              "query/projection is only for observations");
  }
}

}  // namespace
}  // namespace toa::operation
