#include "gateway/test_gateway.hpp"
#include "model/identity.hpp"

namespace toa::gateway {
namespace {

class Requests : public GatewayTest {
 protected:
  void simple(const std::string& more = "") {
    beds("/:id:\n  anonymous: true\n  output: [id, water]\n  GET: observe\n  PUT: soak\n" + more);
    expose();
  }
};

TEST_F(Requests, BecomeCalls) {  // G39, G41, G45, G51
  simple();
  EXPECT_EQ(put("/garden/beds/a/", "", R"({"water":5})").status, 200);
  EXPECT_EQ(last_->endpoint, "garden.beds.soak");
  EXPECT_EQ(input(), R"({"water":5})");
  EXPECT_EQ(query(), R"({"id":"a"})");
  EXPECT_EQ(last_->readonly, Readonly::no);
  EXPECT_TRUE(last_->request.id.has_value());
  ask("GET /garden/beds/a/");
  EXPECT_EQ(last_->readonly, Readonly::yes);
  EXPECT_EQ(input(), "<none>");
}

TEST_F(Requests, AreAnsweredByWhatTheReplyIs) {  // G53–G61
  simple("  PATCH: { endpoint: soak, output: false }\n  POST: { endpoint: soak, output: false }");
  EXPECT_EQ(ask("PUT /garden/beds/a/").body, R"({"id":"a","water":5})");
  EXPECT_EQ(ask("PATCH /garden/beds/a/").status, 204);
  EXPECT_EQ(ask("POST /garden/beds/a/").status, 201);
  EXPECT_EQ(ask("PATCH /garden/beds/a/").body, "");
  answers(nullptr);
  EXPECT_EQ(ask("PATCH /garden/beds/a/").status, 404);
  reply_ = Reply{Output{}};
  EXPECT_EQ(ask("PUT /garden/beds/a/").status, 204);
  reply_ = Reply{Refusal{"TOO_WET", Json(3)}};
  const auto refusal = ask("PATCH /garden/beds/a/");
  EXPECT_EQ(refusal.status, 422);
  EXPECT_EQ(refusal.body, R"({"code":"TOO_WET","cause":3})");
}

TEST_F(Requests, HearOfExceptionsWhatIsTheirs) {  // G59, G61
  simple();
  struct Case {
    Code code;
    int status;
    std::string body;
  };
  for (const auto& [code, status, body] :
       {Case{Code::request_contract, 400, R"("why")"}, Case{Code::query_syntax, 400, R"("why")"},
        Case{Code::state_not_found, 404, ""}, Case{Code::state_precondition, 412, ""},
        Case{Code::state_concurrency, 409, ""}, Case{Code::duplicate, 409, ""},
        Case{Code::system, 500, ""}, Case{Code::entity_guard, 500, ""},
        Case{Code::unrepeatable, 500, ""}}) {
    reply_ = Reply{Exception{.code = code, .message = "why"}};
    const auto answer = ask("PUT /garden/beds/a/");
    EXPECT_EQ(answer.status, status);
    EXPECT_EQ(answer.body, body);
    EXPECT_EQ(answer.field("content-type"), body.empty() ? "<absent>" : "application/json");
  }
  EXPECT_EQ(log_.lines.size(), 3u);
}

TEST_F(Requests, SpeakTheFormatsAskedFor) {  // G82–G88
  simple();
  const auto yaml =
      ask("PUT /garden/beds/a/", "content-type: application/yaml\r\naccept: application/yaml\r\n",
          "water: 7");
  EXPECT_EQ(input(), R"({"water":7})");
  EXPECT_EQ(yaml.body, "id: a\nwater: 5\n");
  EXPECT_EQ(yaml.field("vary"), "origin, accept");
  EXPECT_EQ(ask("PUT /garden/beds/a/", "accept: image/png\r\n").status, 406);
  EXPECT_EQ(ask("PUT /garden/beds/a/", "content-type: image/png\r\n", "x").status, 415);
  EXPECT_EQ(ask("PUT /garden/beds/a/", "", "{}").status, 415);
  EXPECT_EQ(put("/garden/beds/a/", "", "{").status, 400);
  EXPECT_EQ(ask("GET /nowhere/", "accept: text/plain\r\n").body, "Route not found");
}

TEST_F(Requests, PutVariablesWhereTheyBelong) {  // G45–G49
  beds(R"(anonymous: true
output: true
/:id: { POST: plant }
/n/:n: { GET: count }
/by/:by/:id: { PUT: soak })");
  expose();
  EXPECT_EQ(
      ask("POST /garden/beds/a/", "content-type: application/json\r\n", R"({"id":"b"})").status,
      201);
  EXPECT_EQ(input(), R"({"id":"a"})");
  EXPECT_EQ(query(), "<none>");
  ask("GET /garden/beds/n/12/");
  EXPECT_EQ(input(), R"({"n":12})");
  ask("GET /garden/beds/n/x/");
  EXPECT_EQ(input(), R"({"n":"x"})");
}

TEST_F(Requests, AreRefusedParametersThatNobodyTakes) {  // G63, G64, G69
  simple(
      "/count:\n  anonymous: true\n  GET: { endpoint: count, query: { parameters: [n, text] } }");
  const auto refused = [&](const std::string& path) {
    const auto answer = ask("GET /garden/beds/" + path);
    EXPECT_EQ(answer.status, 400) << path;
    return answer.body;
  };
  EXPECT_EQ(refused("a/?x=1"), R"("Query must NOT have additional properties")");
  EXPECT_EQ(refused("a/?limit=1"), R"("Query must NOT have additional properties")");
  EXPECT_EQ(refused("a/?id=b"), R"("Query must NOT have additional properties")");
  EXPECT_EQ(refused("count/?x=1"), R"("Query parameter 'x' is not allowed")");
  EXPECT_EQ(refused("a/?criteria=(a==1),(b==2"), R"("Query criteria is malformed")");
  EXPECT_EQ(refused("a/?criteria=a==1),(b==2"), R"("Query criteria is malformed")");
  EXPECT_EQ(ask("GET /garden/beds/count/?n=4&text=a+b%21").status, 204);
  EXPECT_EQ(input(), R"({"n":4,"text":"a b!"})");
}

TEST_F(Requests, AreConditionalOnVersions) {  // G115–G118
  simple("/count:\n  anonymous: true\n  PUT: count");
  EXPECT_EQ(ask("PUT /garden/beds/a/", "if-match: \"3\"\r\n").status, 200);
  EXPECT_EQ(query(), R"({"id":"a","version":3})");
  EXPECT_EQ(ask("PUT /garden/beds/a/", "if-match: W/\"4\"\r\n").status, 200);
  for (const std::string tag : {"*", "3", "\"x\"", "\"\"", "\"1\", \"2\"", "\"-1\""}) {
    const auto answer = ask("PUT /garden/beds/a/", "if-match: " + tag + "\r\n");
    EXPECT_EQ(answer.status, 400) << tag;
    EXPECT_EQ(answer.body, R"("Invalid ETag")") << tag;
  }
  EXPECT_EQ(ask("PUT /garden/beds/count/", "if-match: x\r\n").status, 204);
}

TEST_F(Requests, OfOneKeyAreOneCall) {  // D7, G98, G101–G103
  simple();
  const auto id = [&](const std::string& path, const std::string& key) {
    put(path, key.empty() ? "" : "idempotency-key: " + key + "\r\n", "{}");
    return *last_->request.id;
  };
  const auto first = id("/garden/beds/a/", "k");
  EXPECT_EQ(first, key_identity({.authority = "localhost:8000",
                                 .caller = "",
                                 .method = "PUT",
                                 .path = "/garden/beds/a/",
                                 .key = "k"}));
  EXPECT_EQ(id("/garden/beds/a/?id=", "k").hex().size(), 32u);
  EXPECT_EQ(id("/garden/beds/%61/", "k"), first);
  EXPECT_NE(id("/garden/beds/b/", "k"), first);
  EXPECT_NE(id("/garden/beds/a/", "l"), first);
  EXPECT_NE(id("/garden/beds/a/", ""), id("/garden/beds/a/", ""));
  EXPECT_EQ(
      put("/garden/beds/a/", "idempotency-key: " + std::string(255, 'k') + "\r\n", "{}").status,
      200);
  EXPECT_EQ(
      put("/garden/beds/a/", "idempotency-key: " + std::string(256, 'k') + "\r\n", "{}").status,
      400);
  EXPECT_EQ(put("/garden/beds/a/", "idempotency-key:\r\n", "{}").body,
            R"("idempotency-key is empty")");
}

TEST_F(Requests, HearOfAReplay) {
  simple();
  reply_.replay = Replay::yes;
  const auto answer = put("/garden/beds/a/", "", "{}");
  EXPECT_EQ(answer.field("idempotency-replayed"), "true");
  EXPECT_EQ(answer.body, R"({"id":"a","water":5})");  // G113
}

TEST_F(Requests, AreCached) {  // G120–G126
  simple(
      "/cached:\n  anonymous: true\n  output: true\n  cache:control: max-age=60\n  GET: observe\n"
      "  PUT: soak\n/stored:\n  anonymous: true\n  output: true\n  cache:control: no-store\n"
      "  GET: observe");
  const auto first = ask("GET /garden/beds/a/");
  const auto tag = first.field("etag");
  EXPECT_EQ(tag.size(), 34u);
  EXPECT_EQ(first.field("cache-control"), "<absent>");
  EXPECT_EQ(ask("GET /garden/beds/a/", "if-none-match: W/" + tag + "\r\n").status, 304);
  EXPECT_EQ(ask("GET /garden/beds/a/", "if-none-match: \"x\"\r\n").status, 200);
  EXPECT_EQ(ask("HEAD /garden/beds/a/").field("etag"), tag);
  EXPECT_EQ(ask("PUT /garden/beds/a/").field("etag"), "<absent>");
  EXPECT_EQ(ask("GET /garden/beds/cached/").field("cache-control"), "max-age=60");
  EXPECT_EQ(ask("PUT /garden/beds/cached/").field("cache-control"), "<absent>");
  EXPECT_EQ(ask("GET /garden/beds/stored/").field("etag"), "<absent>");
}

TEST_F(Requests, MayComeFromOtherOrigins) {  // G152–G154
  simple("/h:\n  anonymous: true\n  GET: { endpoint: count, map:headers: { text: X-Text } }");
  const auto preflight = ask("OPTIONS /any/where",
                             "origin: http://b\r\n"
                             "access-control-request-method: PUT\r\n");
  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(
      preflight.field("access-control-allow-headers"),
      "accept, authorization, content-type, if-match, if-none-match, idempotency-key, x-text");
  EXPECT_EQ(preflight.field("access-control-allow-origin"), "http://b");
  EXPECT_EQ(ask("GET /nowhere/", "origin: http://b\r\n").field("access-control-allow-credentials"),
            "true");
  EXPECT_EQ(ask("GET /nowhere/").field("access-control-allow-origin"), "<absent>");
  const auto mapped = ask("GET /garden/beds/h/", "x-text: a\r\nx-text: b\r\n");  // G140
  EXPECT_EQ(mapped.field("vary"), "origin, x-text, accept");
  EXPECT_EQ(input(), R"({"text":"a, b"})");
}

TEST_F(Requests, BelongToATrace) {  // G149, G150
  simple();
  const std::string trace(32, 'a');
  EXPECT_EQ(ask("GET /x/", "ray: " + trace + "\r\n").field("ray"), trace);
  EXPECT_EQ(ask("GET /x/", "ray: " + trace + "\r\ntraceparent: 00-" + std::string(32, 'b') + "-" +
                               std::string(16, 'c') + "-01\r\n")
                .field("ray"),
            std::string(32, 'b'));
  const auto fresh = ask("GET /x/", "ray: nonsense\r\ntraceparent: 00-zz\r\n").field("ray");
  EXPECT_EQ(fresh.size(), 32u);
  EXPECT_TRUE(ask("GET /x/").field("server-timing").starts_with("total;dur="));
}

TEST_F(Requests, AreFilledAndCutByDirectives) {  // G133–G135, G139–G145, G148
  write("context.toa.yaml", R"(name: shop
exposition:
  authorities: { local: localhost:8000 }
  /: { anonymous: true, map:languages: [en, de, fr] }
)");
  beds(R"(output: true
/:id:
  PUT: { endpoint: soak, input: [water], map:authority: by }
  PATCH: { endpoint: soak, io:status: water, require:header: if-match }
/lang: { GET: { endpoint: count, map:language: lang } }
/raw: { POST: { endpoint: count, map:buffer: text } })");
  expose();
  EXPECT_EQ(put("/garden/beds/a/", "", R"({"water":1,"by":"me"})").status, 200);
  EXPECT_EQ(input(), R"({"water":1,"by":"local"})");
  const auto unexpected = put("/garden/beds/a/", "", R"({"x":1})");
  EXPECT_EQ(unexpected.body, R"("Unexpected input: x")");
  EXPECT_EQ(put("/garden/beds/a/", "", "[1]").status, 400);
  EXPECT_EQ(ask("PATCH /garden/beds/a/").body, R"("Header required: if-match")");
  answers({{"water", 202}, {"id", "a"}});
  const auto status = ask("PATCH /garden/beds/a/", "if-match: \"1\"\r\n");
  EXPECT_EQ(status.status, 202);
  EXPECT_EQ(status.body, R"({"id":"a"})");
  answers({{"water", "x"}});
  EXPECT_EQ(ask("PATCH /garden/beds/a/", "if-match: \"1\"\r\n").status, 500);
  const auto language = ask("GET /garden/beds/lang/", "accept-language: it, de-AT;q=0.5\r\n");
  EXPECT_EQ(language.field("content-language"), "de");
  EXPECT_EQ(input(), R"({"lang":"de"})");
  EXPECT_EQ(ask("POST /garden/beds/raw/", "content-type: image/svg\r\n", "<svg {").status, 201);
  EXPECT_EQ(input(), R"({"text":"<svg {"})");
  EXPECT_EQ(ask("POST /garden/beds/raw/", "", "\xff").status, 400);
}

TEST_F(Requests, AreThrottled) {  // G136–G138
  write("context.toa.yaml", R"(name: shop
exposition: { authorities: { local: localhost:8000 }, ip: x-address }
)");
  beds(R"(anonymous: true
/:id:
  GET: { endpoint: observe, io:throttle: { key: [ip, { segment: id }], requests: 2, interval: 10 } }
  PUT: { endpoint: soak, io:throttle: { key: path, requests: 1, interval: 60, condition: { status: 422 } } })");
  expose();
  const auto get = [&](const std::string& id, const std::string& address) {
    return ask("GET /garden/beds/" + id + "/", "x-address: 9.9.9.9, " + address + "\r\n");
  };
  EXPECT_EQ(get("a", "1.1.1.1").status, 204);
  EXPECT_EQ(get("a", "1.1.1.1").status, 204);
  EXPECT_EQ(get("a", "1.1.1.1").status, 429);
  EXPECT_EQ(get("a", "1.1.1.1").field("retry-after"), "5");
  EXPECT_EQ(get("a", "2.2.2.2").status, 204);
  EXPECT_EQ(get("b", "1.1.1.1").status, 204);
  clock_.advance(std::chrono::seconds(5));
  EXPECT_EQ(get("a", "1.1.1.1").status, 204);
  EXPECT_EQ(get("a", "1.1.1.1").status, 429);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(ask("GET /garden/beds/a/").status, 204);  // no address
  for (int i = 0; i < 3; ++i) EXPECT_EQ(put("/garden/beds/a/", "", "{}").status, 204);
  reply_ = Reply{Refusal{"TOO_WET", {}}};
  EXPECT_EQ(put("/garden/beds/a/", "", "{}").status, 422);
  EXPECT_EQ(put("/garden/beds/a/", "", "{}").status, 429);
}

TEST_F(Requests, ForDiscoveryAreDescribed) {  // G108, G158–G168
  beds(R"(/:id:
  anonymous: true
  output: [id, water]
  help:node: A bed
  GET: observe
  PUT: { endpoint: soak, input: [water], help:method: { title: Water it } }
  DELETE: { endpoint: soak, help:method: ~ }
/closed: { GET: observe })");
  expose();
  const auto answer = ask("OPTIONS /garden/beds/:id/");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.field("allow"), "GET, PUT");
  const auto put = json::parse(answer.body)->at("PUT");
  EXPECT_EQ(put.at("once"), true);
  EXPECT_EQ(put.at("title"), "Water it");
  EXPECT_EQ(put.at("anonymous"), true);
  EXPECT_EQ(json::print(put.at("errors")), R"(["TOO_WET"])");
  EXPECT_EQ(json::print(put.at("input").at("properties")), R"({"water":{"type":"integer"}})");
  EXPECT_EQ(ask("OPTIONS /garden/beds/closed/").status, 403);
  const auto all = ask("OPTIONS /.discovery");
  EXPECT_EQ(all.field("cache-control"), "private, max-age=1800");
  const auto routes = json::parse(all.body)->at("routes").as_object();
  EXPECT_EQ(routes.size(), 1u);
  EXPECT_TRUE(routes.contains("/garden/beds/:id"));
}

TEST_F(Requests, NameTheirHost) {  // G151
  simple();
  http::Request request;
  http::Parser parser(request, {});
  parser.take("GET /garden/beds/a/ HTTP/1.1\r\nhost: a/b\r\n\r\n");
  http::Response response;
  Scope scope(loop_);
  scope.spawn(gateway_->serve(request, response));
  EXPECT_EQ(response.status, 400);
}

}  // namespace
}  // namespace toa::gateway
