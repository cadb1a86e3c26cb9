#include "model/query.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/limits.hpp"

namespace toa {
namespace {

std::string refusal(std::string_view text) {
  const auto query = Query::read(*json::parse(text));
  return query ? "" : query.error().message;
}

TEST(Query, ReadsAllThatSelects) {
  const auto query = Query::read(*json::parse(
      R"({"ids":["a","b"],"criteria":"pages>1","search":"green tea","sort":["due","fine:desc","a.b:asc"],
          "omit":2,"limit":3,"sample":4,"version":5,"projection":["due"],"deleted":true})"));
  ASSERT_TRUE(query) << query.error().message;
  EXPECT_EQ(query->ids, (std::vector{EntityId("a"), EntityId("b")}));
  EXPECT_EQ(query->criteria, "pages>1");
  EXPECT_EQ(query->search, "green tea");
  EXPECT_EQ(query->sort, (std::vector<Sort>{{"due"}, {"fine", true}, {"a.b"}}));
  EXPECT_EQ(query->omit, 2);
  EXPECT_EQ(query->limit, 3);
  EXPECT_EQ(query->sample, 4);
  EXPECT_EQ(query->version, Version(5));
  EXPECT_EQ(query->projection, std::vector<std::string>{"due"});
  EXPECT_TRUE(query->deleted);
}

TEST(Query, NamesThePropertyThatItRefuses) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"ids":"a"})", "query/ids must be array"},
      {R"({"ids":["a",1]})", "query/ids/1 must be string"},
      {R"({"ids":[""]})", "query/ids/0 must NOT have fewer than 1 characters"},
      {R"({"criteria":1})", "query/criteria must be string"},
      {R"({"search":""})", "query/search must NOT have fewer than 1 characters"},
      {R"({"sort":"due"})", "query/sort must be array"},
      {R"({"sort":["due:down"]})",
       "query/sort must hold paths of properties, each alone or with :asc or :desc"},
      {R"({"sort":[":asc"]})",
       "query/sort must hold paths of properties, each alone or with :asc or :desc"},
      {R"({"omit":-1})", "query/omit must be >= 0"},
      {R"({"limit":0})", "query/limit must be >= 1"},
      {R"({"limit":"10"})", "query/limit must be integer"},
      {R"({"limit":1.5})", "query/limit must be integer"},
      {R"({"sample":0})", "query/sample must be >= 1"},
      {R"({"token":"a"})",
       "query/token is only for what changed since a stream was read, of which no storage of this "
       "release keeps a history"},
      {R"({"stop":true})",
       "query/stop is only for what changed since a stream was read, of which no storage of this "
       "release keeps a history"},
      {R"({"pages":1})", "query must NOT have additional properties ('pages')"},
  };
  for (const auto& [text, says] : cases) EXPECT_EQ(refusal(text), says) << text;
}

TEST(Query, HasBounds) {
  const auto of = [](std::string_view name, std::size_t count) {
    JsonObject query;
    query[name] = JsonArray(count, Json("a"));
    return json::print(query);
  };
  EXPECT_EQ(refusal(of("ids", limits::query_ids_max)), "");
  EXPECT_NE(refusal(of("ids", limits::query_ids_max + 1)), "");
  EXPECT_NE(refusal(of("sort", limits::query_sort_max + 1)), "");
  EXPECT_NE(refusal(of("projection", limits::query_projection_max + 1)), "");
}

template <class Generator>
auto maybe(Generator generator) -> std::optional<std::decay_t<decltype(*generator)>> {
  if (!*rc::gen::arbitrary<bool>()) return std::nullopt;
  return *generator;
}

TEST(Query, IsReadBackAsItWasPrinted) {
  EXPECT_TRUE(rc::check("print, then read", [] {
    const auto name = rc::gen::element<std::string>("a", "due", "a.b", "VERSION");
    const auto count = rc::gen::inRange<std::int64_t>(1, 1'000);
    Query query;
    if (const auto id = maybe(name)) query.id = EntityId(*id);
    if (const auto id = maybe(name)) query.ids = {EntityId(*id), EntityId("other")};
    query.criteria = maybe(name);
    query.search = maybe(name);
    if (const auto path = maybe(name)) query.sort = {{*path, *rc::gen::arbitrary<bool>()}};
    query.omit = maybe(count);
    query.limit = maybe(count);
    query.sample = maybe(count);
    if (const auto version = maybe(count)) query.version = Version(*version);
    if (const auto path = maybe(name)) query.projection = {*path};
    query.deleted = *rc::gen::arbitrary<bool>();
    const auto again = Query::read(query.print());
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == query);
  }));
}

}  // namespace
}  // namespace toa
