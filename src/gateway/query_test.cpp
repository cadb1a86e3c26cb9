#include "gateway/query.hpp"

#include <gtest/gtest.h>

#include "gateway/criteria.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {
namespace {

using manifest::Scope;
using manifest::Type;

/// A request of one method, of which a test says what it needs.
struct Subject {
  explicit Subject(Scope scope, Verb verb = Verb::get, Type type = Type::observation) {
    operation.scope = scope;
    operation.type = type;
    method.verb = verb;
    method.operation = &operation;
    exchange.method = &method;
  }

  /// The query as JSON, or why there is none.
  std::string made() {
    const auto query = make_query_json(exchange);
    if (!query) return query.error().message;
    return json::print(*query);
  }
  std::string with(std::string_view parameters) {
    exchange.target_query = parameters;
    return made();
  }

  http::Request request;
  http::Response response;
  manifest::Operation operation;
  Method method;
  Exchange exchange{.request = request, .response = response};
};

TEST(Query, BoundsWhatIsListed) {  // G65–G67
  Subject list(Scope::entries);
  EXPECT_EQ(list.with(""), R"j({"limit":10})j");
  EXPECT_EQ(list.with("limit=100"), R"j({"limit":100})j");
  EXPECT_EQ(list.with("limit=101"), "Query limit must be between 1 and 100 inclusive");
  EXPECT_EQ(list.with("limit=0"), "Query limit must be between 1 and 100 inclusive");
  EXPECT_EQ(list.with("limit=x"), "Query limit must be between 1 and 100 inclusive");
  EXPECT_EQ(list.with("omit=5"), "Query omit requires sort");
  EXPECT_EQ(list.with("omit=5&sort=a:desc;b"), R"j({"sort":["a:desc","b"],"limit":10,"omit":5})j");
  EXPECT_EQ(list.with("limit=1&limit=2"), "Query parameter 'limit' is there twice");
  list.method.query.limit = {.value = 3, .min = 3, .max = 3, .constant = true};
  EXPECT_EQ(list.with(""), R"j({"limit":3})j");
  EXPECT_EQ(list.with("limit=3"), "Query must NOT have additional properties");
}

TEST(Query, AddsVariablesToCriteria) {  // G46, G75
  Subject one(Scope::entry);
  one.exchange.variables = {{"id", "x"}, {"owner", "ann"}, {"taken", "y", true}, {"**", "z"}};
  EXPECT_EQ(one.made(), R"j({"id":"x","criteria":"owner==\"ann\""})j");
  one.method.query.criteria = "open==true";
  EXPECT_EQ(one.made(), R"j({"id":"x","criteria":"(owner==\"ann\");(open==true)"})j");
  one.method.query.criteria_or = true;
  EXPECT_EQ(one.made(), R"j({"id":"x","criteria":"(owner==\"ann\"),(open==true)"})j");
  EXPECT_EQ(one.with("criteria=a==1,b==2"),
            R"j({"id":"x","criteria":"((owner==\"ann\"),(open==true));(a==1,b==2)"})j");
}

TEST(Query, KeepsClientsWithinTheRoute) {  // G74
  Subject one(Scope::entry);
  one.method.query.criteria_open = false;
  one.method.query.sort_open = false;
  EXPECT_EQ(one.with("criteria=a==1"), "Query criteria is closed");
  EXPECT_EQ(one.with("sort=a"), "Query sort is closed");
  Subject open(Scope::entry);
  open.method.query.criteria = "owner==1";
  for (const std::string escape :
       {"a==1),(b==2", "a==1)", "(a==1", "a=='1", "a==%221),(b==2", "", "a==%22)%5C%22),(b==2"}) {
    EXPECT_EQ(open.with("criteria=" + escape), "Query criteria is malformed") << escape;
  }
  EXPECT_EQ(open.with("criteria=a==%22)%22"), R"j({"criteria":"(owner==1);(a==\")\")"})j");
}

TEST(Query, QuotesWhatAPathSays) {
  EXPECT_EQ(equals("a", R"j(x";b=="y\)j"), R"j(a=="x\";b==\"y\\")j");
  EXPECT_EQ(equals("a", "null"), "a==\"null\"");
}

TEST(Query, SortsAfterTheRoute) {  // G68, G76
  Subject list(Scope::entries);
  list.method.query.sort = {"a:desc"};
  EXPECT_EQ(list.with("sort=b;c:asc&omit=1"),
            R"j({"sort":["a:desc","b","c:asc"],"limit":10,"omit":1})j");
}

TEST(Query, TakesWhatStreamsGoOnWith) {  // G80
  EXPECT_EQ(Subject(Scope::stream).with("token=t&stop"), R"j({"token":"t","stop":true})j");
  EXPECT_EQ(Subject(Scope::entry).with("token=t"), "Query must NOT have additional properties");
}

TEST(Query, LeavesCreationWithout) {  // G47
  Subject post(Scope::entry, Verb::post, Type::transition);
  post.exchange.variables = {{"id", "x"}};
  EXPECT_EQ(post.made(), "{}");
  EXPECT_EQ(json::print(post.exchange.input.value()), R"j({"id":"x"})j");
}

}  // namespace
}  // namespace toa::gateway
