#include "gateway/directives/auth.hpp"

#include "gateway/test_gateway.hpp"

namespace toa::gateway {
namespace {

/// Believes an id and roles that it is told as `<id> <role>,<role>`; nothing else.
class Believing final : public Access {
 public:
  Task<Verdict> authenticate(Exchange& exchange) override {
    const std::string said(exchange.request.find("authorization").value_or(""));
    exchange.presented = said == "unclaimed" ? Presented::unclaimed : Presented::refused;
    const auto space = said.find(' ');
    if (space == std::string::npos) co_return Verdict{};
    Caller caller{.id = said.substr(0, space), .scheme = "Token"};
    for (std::size_t at = space + 1; at < said.size();) {
      const auto end = std::min(said.find(',', at), said.size());
      caller.roles.push_back(said.substr(at, end - at));
      at = end + 1;
    }
    exchange.caller = std::move(caller);
    exchange.presented = Presented::good;
    co_return Verdict{};
  }
  bool concludes(const Exchange& exchange) const override { return !exchange.incepted.empty(); }
  Task<Verdict> conclude(Exchange& exchange) override {
    incepted_ = exchange.incepted;
    co_return Verdict{};
  }

  std::string incepted_;
};

class Auth : public GatewayTest {
 protected:
  Auth() { asked_ = &believing_; }

  /// The status of a request by nobody, by bad credentials, and by each of these.
  std::vector<int> statuses(const std::string& path, const std::vector<std::string>& callers) {
    std::vector<int> found;
    for (const auto& caller : callers) {
      const auto header = caller.empty() ? "" : "authorization: " + caller + "\r\n";
      found.push_back(ask("GET " + path, header).status);
    }
    return found;
  }

  Believing believing_;
};

using Statuses = std::vector<int>;

TEST_F(Auth, AdmitsByOneAlternative) {  // G195–G200, G209, G210
  beds(R"(output: true
/none: { GET: count }
/open: { anonymous: true, GET: count }
/known: { anyone: true, GET: count }
/both: { anonymous: true, anyone: true, GET: count }
/role: { role: garden:watering, GET: count }
/roles: { role: [garden:watering, kitchen], GET: count }
/either: { anonymous: true, role: garden, GET: count }
/system: { role: 'system:identity:roles', GET: count }
/own/:id: { id: id, GET: observe }
/off: { anonymous: false, anyone: false, GET: count })");
  expose();
  const std::vector<std::string> callers{
      "",         "bad", "ann none", "bob garden:watering", "cy garden", "di garden:watering:beds",
      "ed system"};
  const auto at = [&](const std::string& route) {
    return statuses("/garden/beds" + route + "/", callers);
  };
  EXPECT_EQ(at("/none"), (Statuses{401, 401, 403, 403, 403, 403, 403}));
  EXPECT_EQ(at("/off"), (Statuses{401, 401, 403, 403, 403, 403, 403}));
  EXPECT_EQ(at("/open"), (Statuses{200, 401, 403, 403, 403, 403, 403}));
  EXPECT_EQ(at("/known"), (Statuses{401, 401, 200, 200, 200, 200, 200}));
  EXPECT_EQ(at("/both"), (Statuses{200, 401, 200, 200, 200, 200, 200}));
  EXPECT_EQ(at("/role"), (Statuses{401, 401, 403, 200, 200, 403, 403}));
  EXPECT_EQ(at("/roles"), (Statuses{401, 401, 403, 200, 200, 403, 403}));
  EXPECT_EQ(at("/either"), (Statuses{200, 401, 403, 403, 200, 403, 403}));
  EXPECT_EQ(at("/system"), (Statuses{401, 401, 403, 403, 403, 403, 403}));
  EXPECT_EQ(at("/own/ann"), (Statuses{401, 401, 200, 403, 403, 403, 403}));
}

TEST_F(Auth, OnlyGrowsOnTheWayDown) {  // G196
  beds(R"(output: true
anyone: true
/below: { role: garden, GET: count }
/alone: { isolated: true, output: true, role: garden, GET: count })");
  expose();
  EXPECT_EQ(statuses("/garden/beds/below/", {"", "ann none"}), (Statuses{401, 200}));
  EXPECT_EQ(statuses("/garden/beds/alone/", {"", "ann none", "bob garden"}),
            (Statuses{401, 403, 200}));
}

TEST_F(Auth, FillsRolesFromTheRoute) {  // G201
  beds(R"(output: true
/:id: { role: 'garden:{id}:water', GET: observe }
/lost: { role: 'garden:{elsewhere}', GET: count })");
  expose();
  EXPECT_EQ(statuses("/garden/beds/b1/", {"ann garden:b1", "ann garden:b2", "ann garden"}),
            (Statuses{200, 403, 200}));
  EXPECT_EQ(statuses("/garden/beds/b1%3Awater/", {"ann garden:b1:water"}), (Statuses{403}));
  EXPECT_EQ(statuses("/garden/beds/b-1/", {"ann garden"}), (Statuses{403}));
  EXPECT_EQ(statuses("/garden/beds/lost/", {"", "ann garden"}), (Statuses{401, 500}));
}

TEST_F(Auth, RuleNeedsAllOfItsParts) {  // G196, G204
  beds(R"(output: true
/:id: { rule: { id: id, role: garden }, GET: observe }
/by: { rule: { role: garden, delegate: by }, PUT: soak }
/whoever: { anonymous: true, auth:delegate: by, PUT: soak })");
  expose();
  EXPECT_EQ(statuses("/garden/beds/ann/", {"", "ann none", "bob garden", "ann garden"}),
            (Statuses{401, 403, 403, 200}));
  put("/garden/beds/by/", "authorization: bob garden\r\n", R"({"by":"ann","water":1})");
  EXPECT_EQ(input(), R"({"by":{"id":"bob","roles":["garden"]},"water":1})");
  ask("PUT /garden/beds/by/", "authorization: bob garden\r\n");
  EXPECT_EQ(input(), R"({"by":{"id":"bob","roles":["garden"]}})");
  EXPECT_EQ(put("/garden/beds/by/", "authorization: bob garden\r\n", "[1]").status, 400);
  put("/garden/beds/whoever/", "", R"({"by":{"id":"ann"},"water":1})");
  EXPECT_EQ(input(), R"({"water":1})");
}

TEST_F(Auth, GuardsInputAndScheme) {  // G93, G198, G205
  beds(R"(output: true
anyone: true
/in: { PUT: soak, auth:input: [{ prop: [water, by], role: garden }] }
/how: { PUT: soak, auth:scheme: basic })");
  expose();
  const auto sent = [&](const std::string& caller, std::string_view body) {
    return put("/garden/beds/in/", "authorization: " + caller + "\r\n", body);
  };
  EXPECT_EQ(sent("ann none", R"({"water":1})").status, 403);
  EXPECT_EQ(sent("ann none", R"({"water":1})").body, R"("Input property is not authorized")");
  EXPECT_EQ(sent("ann none", R"({"other":1})").status, 200);
  EXPECT_EQ(sent("ann garden", R"({"water":1})").status, 200);
  const auto refused = put("/garden/beds/how/", "authorization: ann none\r\n", "{}");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.body, R"("Basic authentication scheme is required to access this resource")");
}

TEST_F(Auth, InceptsForWhoIsNobodyYet) {  // G177, G202, G203
  beds("/new: { auth:incept: id, output: [water], POST: plant }");
  expose();
  const std::string id(32, 'a');
  answers(JsonObject{{"id", id}, {"water", 1}});
  EXPECT_EQ(ask("POST /garden/beds/new/").status, 201);
  EXPECT_EQ(believing_.incepted_, id);
  EXPECT_EQ(ask("POST /garden/beds/new/", "authorization: unclaimed\r\n").status, 201);
  EXPECT_EQ(ask("POST /garden/beds/new/", "authorization: bad\r\n").status, 401);
  EXPECT_EQ(ask("POST /garden/beds/new/", "authorization: ann x\r\n").status, 403);
  believing_.incepted_.clear();
  answers(JsonObject{{"id", "no id"}});
  ask("POST /garden/beds/new/");
  answers(JsonObject{{"id", id}});
  reply_.replay = Replay::yes;  // a replayed reply never creates an identity
  ask("POST /garden/beds/new/");
  reply_ = Reply{Refusal{"TOO_WET", {}}};
  ask("POST /garden/beds/new/");
  EXPECT_EQ(believing_.incepted_, "");
}

TEST_F(Auth, DescribesToWhomItAdmits) {  // G164, G165
  beds(R"(output: true
/open: { anonymous: true, GET: count }
/role: { role: garden, GET: count }
/of/:id: { id: id, GET: observe })");
  expose();
  const auto seen = [&](const std::string& path, const std::string& caller) {
    const auto header = caller.empty() ? "" : "authorization: " + caller + "\r\n";
    return ask("OPTIONS /garden/beds" + path + "/", header);
  };
  EXPECT_TRUE(seen("/open", "ann none").body.contains(R"("anonymous":true)"));
  EXPECT_EQ(seen("/role", "").status, 403);
  EXPECT_EQ(seen("/role", "ann none").status, 403);
  EXPECT_TRUE(seen("/role", "ann garden").body.contains(R"("protected":true)"));
  EXPECT_EQ(seen("/of/:id", "").status, 403);
  EXPECT_TRUE(seen("/of/:id", "ann none").body.contains(R"("private":true)"));
}

TEST_F(Auth, RefusesWhatCannotBeMeant) {
  beds(R"(output: true
/a: { role: 'a b', GET: count }
/b: { anonymous: yes please, GET: count }
/c: { id: who, GET: count }
/d: { auth:rolle: x, GET: count }
/e: { rule: {}, GET: count }
/f: { auth:claims: { iss: x }, GET: count }
/g: { incept: ~, POST: plant })");
  const auto said = faults();
  for (const auto* part :
       {"'a b' is no role", "must be boolean", "has no variable 'who'", "did you mean 'role'",
        "must have a directive", "'auth:claims' is not supported", "name the output property"})
    EXPECT_TRUE(said.contains(part)) << part << " in\n" << said;
}

}  // namespace
}  // namespace toa::gateway
