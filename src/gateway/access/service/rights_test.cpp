#include <boost/algorithm/string/case_conv.hpp>

#include "gateway/access/service/identity_fixture.hpp"

namespace toa::gateway {
namespace {

using namespace std::chrono_literals;

class Rights : public IdentityTest {
 protected:
  Rights() {
    open(R"(output: true
/known: { anyone: true, GET: count, PUT: { endpoint: soak, query: { } } }
/water: { role: garden:watering, GET: count })");
    sign_up("root:password-of-root");
    ann_ = sign_up("ann:password-of-ann");
    id_ = id_of(ann_);
  }

  Answer as_root(const std::string& line, std::string_view body = "") {
    return request(line, basic("root:password-of-root"), body);
  }
  int waters(const std::string& header) {
    return request("GET /garden/beds/water/", header).status;
  }

  Answer ann_;
  std::string id_;
};

TEST_F(Rights, ComeWithTheNextToken) {  // G190, G211
  EXPECT_EQ(waters(held(ann_)), 403);
  grant(id_, "garden:watering");
  EXPECT_EQ(waters(held(ann_)), 403);
  EXPECT_EQ(waters(basic("ann:password-of-ann")), 200);
  EXPECT_EQ(waters(held(sign_in("ann:password-of-ann"))), 200);
  clock_.advance(600s + 1ms);
  const auto renewed = request("GET /garden/beds/water/", held(ann_));
  EXPECT_EQ(renewed.status, 200);
  EXPECT_EQ(waters(held(renewed)), 200);
  EXPECT_EQ(as_root("DELETE /identity/roles/" + id_ + "/garden:watering/").status, 204);
  EXPECT_EQ(as_root("DELETE /identity/roles/" + id_ + "/garden:watering/").status, 204);
  EXPECT_EQ(waters(basic("ann:password-of-ann")), 403);
}

TEST_F(Rights, AreOfTheSameIdentityInUpperCase) {  // G186, G211
  const auto upper = boost::algorithm::to_upper_copy(id_);
  EXPECT_EQ(as_root("POST /identity/roles/" + upper + "/", R"({"role":"garden:watering"})").status,
            201);
  EXPECT_EQ(waters(basic("ann:password-of-ann")), 200);
  EXPECT_EQ(request("GET /identity/roles/" + upper + "/", held(ann_)).body,
            R"(["garden:watering"])");
  EXPECT_EQ(as_root("DELETE /identity/roles/" + upper + "/garden:watering/").status, 204);
  EXPECT_EQ(waters(basic("ann:password-of-ann")), 403);
  EXPECT_EQ(as_root("PUT /identity/bans/" + upper + "/", R"({"banned":true})").status, 204);
  EXPECT_EQ(request("GET /identity/", basic("ann:password-of-ann")).status, 401);
}

TEST_F(Rights, AreGrantedByWhoMay) {  // G211
  const auto path = "POST /identity/roles/" + id_ + "/";
  const auto granted = as_root(path, R"({"role":"garden:watering"})");
  EXPECT_EQ(granted.status, 201);
  EXPECT_EQ(as_root(path, R"({"role":"garden:watering"})").body, granted.body);
  EXPECT_EQ(as_root("GET /identity/roles/" + id_ + "/").body, R"(["garden:watering"])");
  EXPECT_EQ(request("GET /identity/roles/" + id_ + "/", held(ann_)).status, 200);
  EXPECT_EQ(request(path, held(ann_), R"({"role":"a"})").status, 403);
  EXPECT_EQ(request(path, "", R"({"role":"a"})").status, 401);
  EXPECT_EQ(as_root(path, R"({"role":"a b"})").status, 400);
  EXPECT_EQ(as_root(path, R"({"rolle":"a"})").status, 400);
  EXPECT_EQ(as_root(path).status, 400);
  EXPECT_EQ(as_root("POST /identity/roles/ann/", R"({"role":"a"})").status, 400);
  const auto strange = sign_up("eve:password-of-eve");
  EXPECT_EQ(request("GET /identity/roles/" + id_ + "/", held(strange)).status, 403);
}

TEST_F(Rights, FitIntoAToken) {
  const auto root = held(sign_in("root:password-of-root"));
  const auto path = "POST /identity/roles/" + id_ + "/";
  int status = 201;
  int granted = 0;
  for (; status == 201; ++granted)
    status = request(path, root, fmt::format(R"({{"role":"{}"}})", granted)).status;
  EXPECT_EQ(status, 422);
  EXPECT_GT(granted, 500);
  const auto known = sign_in("ann:password-of-ann");
  EXPECT_EQ(request("GET /garden/beds/known/", held(known)).status, 200);
}

TEST_F(Rights, AreDelegatedNoFurtherThanOnesOwn) {  // G212
  grant(id_, "system:identity:roles:delegation");
  grant(id_, "garden");
  const auto bob = "POST /identity/roles/" + id_of(sign_up("bob:password-of-bob")) + "/";
  const auto as_ann = basic("ann:password-of-ann");
  EXPECT_EQ(request(bob, as_ann, R"({"role":"garden:watering"})").status, 201);
  EXPECT_EQ(request(bob, as_ann, R"({"role":"kitchen"})").body, R"({"code":"INACCESSIBLE_SCOPE"})");
  EXPECT_EQ(request(bob, as_ann, R"({"role":"system:identity:roles:delegation"})").status, 422);
}

TEST_F(Rights, EndWithABan) {  // G186
  const auto path = "PUT /identity/bans/" + id_ + "/";
  EXPECT_EQ(as_root(path, R"({"banned":true,"comment":"spam"})").status, 204);
  EXPECT_EQ(sign_in("ann:password-of-ann").status, 401);
  EXPECT_EQ(sign_up("ann:password-of-ann").status, 401);
  EXPECT_EQ(request("GET /garden/beds/known/", held(ann_)).status, 200);
  clock_.advance(600s + 1ms);
  EXPECT_EQ(request("GET /garden/beds/known/", held(ann_)).status, 401);
  EXPECT_EQ(as_root(path, R"({"banned":false})").status, 204);
  EXPECT_EQ(request("GET /garden/beds/known/", held(ann_)).status, 200);
  EXPECT_EQ(request(path, held(ann_), R"({"banned":false})").status, 403);
}

TEST_F(Rights, ChangeOfPasswordEndsOtherTokens) {  // G183, G93
  const auto path = "PATCH /identity/basic/" + id_ + "/";
  EXPECT_EQ(request(path, held(ann_), R"({"password":"another-password"})").status, 403);
  clock_.advance(1s);
  const auto changed =
      request(path, basic("ann:password-of-ann"), R"({"password":"another-password"})");
  EXPECT_EQ(changed.status, 200);
  EXPECT_EQ(sign_in("ann:password-of-ann").status, 401);
  EXPECT_EQ(sign_in("ann:another-password").status, 200);
  clock_.advance(600s + 1ms);
  EXPECT_EQ(request("GET /garden/beds/known/", held(ann_)).status, 401);
  EXPECT_EQ(request("GET /garden/beds/known/", held(changed)).status, 200);
}

TEST_F(Rights, ChangeOfUsernameIsWholeWhicheverWriteIsTheLast) {  // G183
  const auto path = "PATCH /identity/basic/" + id_ + "/";
  for (int step = 1; step < 3; ++step) {
    writes_ = 0;
    fails_from_ = step;
    EXPECT_EQ(request(path, basic("ann:password-of-ann"), R"({"username":"anna"})").status, 503);
    fails_from_ = 0;
    EXPECT_EQ(sign_in("ann:password-of-ann").status, 200);
    EXPECT_EQ(sign_in("anna:password-of-ann").status, 401);
  }
  EXPECT_EQ(sign_up("anna:password-of-anna").status, 409);
  clock_.advance(61s);
  const auto other = sign_up("anna:password-of-anna");
  EXPECT_EQ(other.status, 201) << "a username that was only taken is free again";
  EXPECT_EQ(request(path, basic("ann:password-of-ann"), R"({"username":"anna"})").status, 409);
  writes_ = 0;
  fails_from_ = 3;  // the former name is not given up
  EXPECT_EQ(request(path, basic("ann:password-of-ann"), R"({"username":"annie"})").status, 200);
  fails_from_ = 0;
  EXPECT_EQ(sign_in("annie:password-of-ann").status, 200);
  EXPECT_EQ(sign_in("ann:password-of-ann").status, 401);
  EXPECT_EQ(sign_up("ann:password-of-else").status, 201);
}

TEST_F(Rights, RemovalOfAPasswordIsWholeWhicheverWriteIsTheLast) {  // G183
  const auto remove = [&] { return request("DELETE /identity/basic/" + id_ + "/", held(ann_)); };
  writes_ = 0;
  fails_from_ = 1;
  EXPECT_EQ(remove().status, 503);
  fails_from_ = 0;
  EXPECT_EQ(sign_in("ann:password-of-ann").status, 200);
  writes_ = 0;
  fails_from_ = 2;
  EXPECT_EQ(remove().status, 204);
  fails_from_ = 0;
  EXPECT_EQ(sign_in("ann:password-of-ann").status, 401);
  EXPECT_EQ(remove().status, 404);
  clock_.advance(61s);
  EXPECT_EQ(sign_up("ann:password-of-else").status, 201);
}

TEST_F(Rights, NamesAreGivenUpByTheirClaimAlone) {
  Registry registry(*this, clock_, random_);
  const auto wait = [&](auto task) { return loop_.run_until(std::move(task)); };
  const Registry::Name first{"local", "eve", std::string(32, 'e'), "c1"};
  Account eve{.id = first.account, .authority = "local", .username = "eve"};
  ASSERT_TRUE(wait(registry.create(eve)));
  auto again = first;
  again.claim = "c2";
  ASSERT_TRUE(wait(registry.take(again)));
  const auto release = [&](Registry::Name name) -> Task<bool> {
    co_await registry.release(std::move(name));
    co_return true;
  };
  wait(release(first));
  EXPECT_TRUE(wait(registry.owner("local", "eve"))->has_value());
  auto other = first;
  other.account = std::string(32, 'f');
  EXPECT_EQ(wait(registry.take(other)).error().kind, ErrorKind::conflict);
  wait(release(again));
  EXPECT_FALSE(wait(registry.owner("local", "eve"))->has_value());
}

TEST_F(Rights, PasswordsAreAddedAndRemoved) {  // G178, G182–G184
  const auto both = R"({"username":"bob","password":"password-of-bob"})";
  const auto made = request("POST /identity/basic/", "", both);
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.field("authorization"), "<absent>");
  EXPECT_EQ(request("POST /identity/basic/", "", both).status, 409);
  EXPECT_EQ(request("POST /identity/basic/", held(ann_), both).status, 403);
  EXPECT_EQ(request("POST /identity/basic/", "", R"({"username":"x","password":"short"})").body,
            R"({"code":"INVALID_PASSWORD"})");
  EXPECT_EQ(id_of(sign_in("bob:password-of-bob")), id_of(made));
  EXPECT_EQ(request("GET /identity/basic/usernames/Ym9i/").status, 204);
  EXPECT_EQ(request("GET /identity/basic/usernames/Ym9ib2I/").status, 404);

  const auto guest = request("GET /identity/");
  const auto own = id_of(guest);
  EXPECT_EQ(request("GET /identity/credentials/" + own + "/", held(guest)).body,
            R"({"basic":null,"federation":[],"passkeys":[]})");
  const auto given = R"({"username":"gus","password":"password-of-gus"})";
  EXPECT_EQ(request("POST /identity/basic/" + own + "/", held(guest), given).status, 201);
  EXPECT_EQ(request("POST /identity/basic/" + own + "/", held(guest), given).body,
            R"({"code":"EXISTS"})");
  const auto gus = sign_in("gus:password-of-gus");
  EXPECT_EQ(id_of(gus), own);
  EXPECT_EQ(request("GET /identity/credentials/" + own + "/", held(gus)).body,
            R"({"basic":{"username":"gus"},"federation":[],"passkeys":[]})");
  EXPECT_EQ(request("DELETE /identity/basic/" + own + "/", held(gus)).status, 204);
  EXPECT_EQ(sign_in("gus:password-of-gus").status, 401);
  EXPECT_EQ(sign_up("gus:password-of-gus").status, 201);
}

TEST_F(Rights, OfOneAuthorityAreNoneOfAnother) {  // G173
  const auto guest = request("GET /identity/");
  const auto elsewhere = [&](std::string_view line, const std::string& header,
                             std::string_view body = "") {
    return request(line, header, body, "127.0.0.1:8000");
  };
  const auto path = "/identity/roles/" + id_of(guest) + "/";
  EXPECT_EQ(as_root("POST " + path, R"({"role":"garden"})").status, 201);
  EXPECT_EQ(elsewhere("GET " + path, held(guest)).status, 401);
  const auto eve = id_of(elsewhere("POST /identity/", basic("eve:password-of-eve")));
  EXPECT_EQ(as_root("POST /identity/roles/" + eve + "/", R"({"role":"garden"})").status, 404);
  EXPECT_EQ(as_root("PUT /identity/bans/" + eve + "/", R"({"banned":true})").status, 404);
  EXPECT_EQ(elsewhere("GET /identity/", basic("eve:password-of-eve")).status, 200);
}

TEST_F(Rights, CustomTokensAreLimitedAndRevoked) {  // G172, G192, G193, G198, G213
  grant(id_, "garden:watering");
  grant(id_, "kitchen");
  const auto path = "POST /identity/tokens/" + id_ + "/";
  const auto make = [&](std::string_view order) {
    return request(path, basic("ann:password-of-ann"), order);
  };
  EXPECT_EQ(make(R"({"label":"x","scopes":["cellar"]})").body, R"({"code":"INACCESSIBLE_SCOPE"})");
  EXPECT_EQ(make(R"({"label":""})").status, 400);
  EXPECT_EQ(make(R"({"label":"x","permissions":{"/a/":"GET"}})").status, 400);
  const auto made = make(
      R"({"label":"robot","lifetime":0,"scopes":["garden:watering"],"permissions":{"/garden/beds/water/":["GET"]}})");
  ASSERT_EQ(made.status, 201) << made.body;
  const auto body = *json::parse(made.body);
  const auto robot = token(body.at("token").as_string());
  EXPECT_TRUE(body.at("exp").is_null());
  EXPECT_EQ(waters(robot), 200);
  EXPECT_EQ(request("GET /garden/beds/known/", robot).status, 403);
  EXPECT_EQ(request(path, robot, R"({"label":"y"})").status, 403);
  clock_.advance(24h);
  EXPECT_EQ(request("GET /garden/beds/water/", robot).field("authorization"), "<absent>");
  const auto listed = request("GET /identity/keys/" + id_ + "/", basic("ann:password-of-ann"));
  EXPECT_TRUE(listed.body.contains(R"("label":"robot","expires":null)")) << listed.body;
  EXPECT_EQ(as_root("DELETE /identity/roles/" + id_ + "/kitchen/").status, 204);
  EXPECT_EQ(waters(robot), 401);

  const auto second = *json::parse(make(R"({"label":"short","lifetime":60})").body);
  const auto brief = token(second.at("token").as_string());
  EXPECT_EQ(request("GET /garden/beds/known/", brief).status, 200);
  EXPECT_EQ(request(path, brief, R"({"label":"wider"})").status, 403);
  EXPECT_EQ(request("DELETE /identity/basic/" + id_ + "/", brief).status, 403);
  const std::string kid(second.at("kid").as_string());
  EXPECT_EQ(request("DELETE /identity/keys/" + id_ + "/" + kid + "/", basic("ann:password-of-ann"))
                .status,
            204);
  EXPECT_EQ(request("GET /garden/beds/known/", brief).status, 401);
  const auto third =
      token(json::parse(make(R"({"label":"again","lifetime":60})").body)->at("token").as_string());
  clock_.advance(60s);
  EXPECT_EQ(request("GET /garden/beds/known/", third).status, 401);
}

}  // namespace
}  // namespace toa::gateway
