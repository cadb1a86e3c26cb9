#include "gateway/test_gateway.hpp"

namespace toa::gateway {
namespace {

using Routes = GatewayTest;

TEST_F(Routes, AreMountedAtTheComponentsName) {  // G2, G32, G33
  beds("anonymous: true\noutput: true\n/:id:\n  GET: observe\n/:\n  GET: count");
  expose();
  EXPECT_EQ(ask("GET /garden/beds/a/").status, 200);
  EXPECT_EQ(last_->endpoint, "garden.beds.observe");
  EXPECT_EQ(query(), R"({"id":"a"})");
  EXPECT_EQ(ask("GET /garden/beds/").status, 200);
  EXPECT_EQ(last_->endpoint, "garden.beds.count");
  EXPECT_EQ(ask("GET /garden/beds/a").body, R"("Trailing slash is required")");
  EXPECT_EQ(ask("GET /garden/beds/a").status, 404);
  EXPECT_EQ(ask("GET /beds/a/").body, R"("Route not found")");
  EXPECT_EQ(ask("GET /").status, 404);
}

TEST_F(Routes, PreferLiteralsThenVariablesThenWildcards) {  // G34–G36
  beds(R"(anonymous: true
output: true
/:n: { GET: count }
/open: { GET: { endpoint: count, map:headers: { text: x } } }
/:text/leaf: { GET: count }
/open/:n: { GET: count }
/wild/**: { GET: { endpoint: count, map:segments: { text: '**' } } }
/any/*/end: { GET: count })");
  expose();
  EXPECT_EQ(ask("GET /garden/beds/7/").status, 200);
  EXPECT_EQ(input(), R"({"n":7})");
  EXPECT_EQ(ask("GET /garden/beds/open/", "x: y\r\n").status, 200);
  EXPECT_EQ(input(), R"({"text":"y"})");
  EXPECT_EQ(ask("GET /garden/beds/z/leaf/").status, 200);
  EXPECT_EQ(input(), R"({"text":"z"})");
  EXPECT_EQ(ask("GET /garden/beds/open/8/").status, 200);
  EXPECT_EQ(ask("GET /garden/beds/wild/a/b/").status, 200);
  EXPECT_EQ(input(), R"({"text":"a/b"})");
  EXPECT_EQ(ask("GET /garden/beds/any/thing/end/").status, 200);
  EXPECT_EQ(ask("GET /garden/beds/any/thing/other/").status, 404);
}

TEST_F(Routes, KnowTheirMethods) {  // G22, G24
  beds("/:id:\n  anonymous: true\n  GET: observe\n  PUT: soak\n  output: true");
  expose();
  EXPECT_EQ(ask("DELETE /garden/beds/a/").status, 405);
  EXPECT_EQ(ask("DELETE /garden/beds/a/").field("allow"), "GET, PUT");
  EXPECT_EQ(ask("BREW /garden/beds/a/").status, 501);
  EXPECT_EQ(ask("HEAD /garden/beds/a/").status, 200);
}

TEST_F(Routes, MistakesAreToldWithTheirPlace) {  // G10–G17, G76
  beds(R"(anonymous: true
/a/: { GET: count }
/b: {}
/c: { get: count }
/d: { GET: nothing }
/e:
  GET: count
  /: { GET: count }
/f: { GET: { endpoint: soak, query: { projection: [water] } } }
/g//h: { GET: count }
/i/**/j: { GET: count }
/k: { GET: { endpoint: soak, query: { limit: 0 } } }
/l: { GET: {} }
/m: { octets:get: ~, GET: count }
/n: { auth:claims: a, GET: count }
/o: { GET: stream })");
  EXPECT_EQ(faults(),
            "18: exposition./a/: a route has no trailing slash\n"
            "19: exposition./b: a route needs a method, or routes below it\n"
            "20: exposition./c: a route needs a method, or routes below it\n"
            "20: exposition./c.get: RTD parse error: unknown key 'get'\n"
            "21: exposition./d.GET: 'garden.beds' has no operation 'nothing'\n"
            "23: exposition./e.GET: cannot be reached: the route '/' of this node answers in its "
            "place\n"
            "25: exposition./f.GET.query.projection: is only for observations\n"
            "26: exposition./g//h: a route has an empty segment\n"
            "27: exposition./i/**/j: '**' takes the rest of a path and ends it\n"
            "28: exposition./k.GET.query.limit: must be integer of at least 1\n"
            "29: exposition./l.GET: must have required property 'endpoint'\n"
            "30: exposition./m.octets:get: 'octets:get' is not supported by this release\n"
            "31: exposition./n.auth:claims: 'auth:claims' is not supported by this release\n"
            "32: exposition./o.GET: an operation that answers a stream cannot be reached over HTTP "
            "in this release\n");
}

TEST_F(Routes, InheritDirectivesUnlessIsolated) {  // G28–G31
  beds(R"(anonymous: true
output: [id, water]
/in: { GET: { endpoint: observe, output: [water, VERSION] } }
/apart: { isolated: true, GET: observe }
/of/:water: { output: [id], GET: observe }
/of/:water/open: { GET: observe })");
  expose();
  answers({{"id", "a"}, {"water", 5}, {"VERSION", 1}});
  EXPECT_EQ(ask("GET /garden/beds/in/").body, R"({"water":5})");  // G132
  EXPECT_EQ(ask("GET /garden/beds/apart/").status, 401);          // G195
}

TEST_F(Routes, OfTheContextComeFirstAndReachEverything) {  // G4–G7
  write("context.toa.yaml", R"(name: shop
exposition:
  authorities: { local: localhost:8000 }
  /:
    anonymous: true
    /garden/beds/:id: { GET: garden.beds.count }
    /status: { GET: garden.beds.count, output: true }
)");
  beds("output: true\n/:id: { GET: observe }\n/:id/more: { GET: count }");
  expose();
  EXPECT_EQ(ask("GET /garden/beds/a/").status, 204);
  EXPECT_EQ(last_->endpoint, "garden.beds.count");
  EXPECT_EQ(ask("GET /garden/beds/a/more/").status, 200);
  EXPECT_EQ(ask("GET /status/").status, 200);
}

TEST_F(Routes, MayDifferByEnvironment) {  // G9
  beds("anonymous@local: true\noutput@other: false\noutput: true\n/:id: { GET: observe }");
  expose();
  EXPECT_EQ(ask("GET /garden/beds/a/").status, 200);
}

TEST_F(Routes, MayStandUnderTheirLongName) {  // G3
  write("context.toa.yaml",
        "name: shop\nannotations:\n  '@toa.io/extensions.exposition':\n"
        "    authorities: { local: localhost:8000 }\n    /: { anonymous: true }\n");
  write("components/pots/manifest.toa.yaml",
        "entity: { properties: { size: { type: integer } } }\nextensions:\n"
        "  '@toa.io/extensions.exposition':\n    output: true\n    /:id: { GET: observe }\n");
  expose();
  EXPECT_EQ(ask("GET /pots/a/").status, 200);
  EXPECT_EQ(last_->endpoint, "default.pots.observe");
}

TEST_F(Routes, OfTheContextNeedAuthorities) {  // G4
  write("context.toa.yaml", "name: shop\nexposition:\n  censor: {}\n  colour: red\n");
  beds("anonymous: true\n/:id: { GET: observe }");
  EXPECT_EQ(faults(),
            "2: exposition: must have required property 'authorities'\n"
            "3: exposition.censor: is not supported by this release\n"
            "4: exposition.colour: unknown key 'colour'\n");
}

TEST_F(Routes, AreForwarded) {  // G38
  beds("anonymous: true\noutput: true\n/:id: { GET: observe }\n/alias/:id: /garden/beds/:id");
  expose();
  EXPECT_EQ(ask("GET /garden/beds/alias/x/").status, 200);
  EXPECT_EQ(query(), R"({"id":"x"})");
}

TEST_F(Routes, ThatForwardInCirclesLeadNowhere) {
  beds(
      "anonymous: true\n/a: /garden/beds/b\n/b: /garden/beds/a\n/c: /garden/:id\n/d: { GET: count "
      "}");
  EXPECT_EQ(faults(), "20: exposition./c: the destination's variable 'id' is none of this route\n");
}

TEST_F(Routes, DoNotFollowTricks) {
  beds("anonymous: true\noutput: true\n/:id: { GET: observe }");
  expose();
  for (const std::string path :
       {"/garden/beds/../beds/", "/garden/beds/./", "/garden//beds/a/", "//garden/beds/a/",
        "/garden/beds/%2e%2e/", "/garden/beds/a%2fb/", "/garden/beds/%00/", "/garden/beds/%5c/",
        "/garden/beds/%ff/", "/garden/beds/%c0%af/", "/garden/beds/%/", "/garden/beds/%4/",
        "http://localhost:8000/garden/beds/a/", "*", "/garden/beds/a%0a/"}) {
    const auto answer = ask("GET " + path);
    EXPECT_EQ(answer.status, 400) << path;
    EXPECT_EQ(answer.body, R"("Path is malformed")") << path;
  }
  EXPECT_EQ(ask("GET /garden/beds/%252e/").status, 200);
  EXPECT_EQ(query(), R"({"id":"%2e"})");
  std::string deep = "/garden/beds/";
  for (int i = 0; i < 100; ++i) deep += "a/";
  EXPECT_EQ(ask("GET " + deep).status, 400);
}

}  // namespace
}  // namespace toa::gateway
