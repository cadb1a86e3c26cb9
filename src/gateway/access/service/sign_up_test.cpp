#include "gateway/access/service/identity_fixture.hpp"

namespace toa::gateway {
namespace {

constexpr const char* routes = R"(output: true
/known: { anyone: true, GET: count }
/open: { anonymous: true, GET: count }
/:id: { id: id, GET: observe })";

TEST_F(IdentityTest, SignsUpAndIn) {  // G171, G174, G176
  open(routes);
  const auto made = sign_up("ann:password-of-ann");
  EXPECT_EQ(made.status, 201);
  EXPECT_TRUE(made.field("authorization").starts_with("Token eyJ")) << made.fields;
  EXPECT_EQ(made.field("cache-control"), "no-store");
  const auto id = id_of(made);
  EXPECT_EQ(id.size(), 32u);
  const auto known = sign_in("ann:password-of-ann");
  EXPECT_EQ(known.status, 200);
  EXPECT_EQ(known.body, R"({"id":")" + id + R"(","roles":[]})");
  EXPECT_TRUE(known.field("authorization").starts_with("Token ")) << known.fields;
  const auto again = request("GET /identity/", held(known));
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(id_of(again), id);
  EXPECT_EQ(again.field("authorization"), "<absent>");
  EXPECT_EQ(request("GET /garden/beds/known/", held(known)).status, 200);
  EXPECT_EQ(request("GET /garden/beds/" + id + "/", held(known)).status, 200);
  EXPECT_TRUE(request("GET /garden/beds/known/", basic("ann:password-of-ann"))
                  .field("authorization")
                  .starts_with("Token "));
}

TEST_F(IdentityTest, BelievesNothingThatIsNotGood) {  // G169, G170, G174, G191
  open(routes);
  sign_up("ann:password-of-ann");
  for (const auto& header :
       {basic("ann:password-of-bob"), basic("bob:password-of-bob"), basic("ann"), token("eyJ"),
        std::string("authorization: Basic\r\n"), std::string("authorization: Basic !!\r\n"),
        std::string("authorization: Digest abc\r\n"),
        basic("ann:password-of-ann") + basic("ann:password-of-ann")}) {
    EXPECT_EQ(request("GET /identity/", header).status, 401) << header;
    EXPECT_EQ(request("GET /garden/beds/known/", header).status, 401) << header;
    EXPECT_EQ(request("GET /garden/beds/open/", header).status, 401) << header;
  }
  EXPECT_EQ(request("GET /garden/beds/known/",
                    "authorization: bAsIC " + base64("ann:password-of-ann") + "\r\n")
                .status,
            200);
  for (const auto& line : log_.lines)
    EXPECT_FALSE(line.contains("password-of") || line.contains(base64("ann:password-of-bob")))
        << line;
}

TEST_F(IdentityTest, RefusesToMakeOneTwice) {  // G177
  open(routes);
  const auto id = id_of(sign_up("ann:password-of-ann"));
  EXPECT_EQ(sign_up("ann:password-of-ann").status, 403);
  EXPECT_EQ(sign_up("ann:password-of-bob").status, 401);
  EXPECT_EQ(id_of(sign_in("ann:password-of-ann")), id);
  EXPECT_EQ(request("POST /identity/", token("damaged")).status, 401);
  EXPECT_EQ(request("POST /identity/", "authorization: Digest abc\r\n").status, 401);
  const auto unreadable = request("POST /identity/", "authorization: Basic !!\r\n");
  EXPECT_EQ(unreadable.status, 422);
  EXPECT_EQ(unreadable.body, R"({"code":"INVALID_CREDENTIALS"})");
  EXPECT_EQ(sign_up(":password-of-ann").body, R"({"code":"INVALID_USERNAME"})");
  EXPECT_EQ(sign_up("bob:short").body, R"({"code":"INVALID_PASSWORD"})");
}

TEST_F(IdentityTest, GivesGuestsATransientOne) {  // G175
  open(routes);
  const auto guest = request("GET /identity/");
  EXPECT_EQ(guest.status, 201);
  EXPECT_EQ(writes_, 0);
  EXPECT_EQ(request("GET /garden/beds/known/", held(guest)).status, 200);
  EXPECT_EQ(request("GET /garden/beds/" + id_of(guest) + "/", held(guest)).status, 200);
  EXPECT_EQ(request("POST /identity/", held(guest)).status, 403);
  EXPECT_EQ(request("POST /identity/").status, 201);
}

TEST_F(IdentityTest, IsMadeOfAnOperationsOutput) {  // G202, G203
  open("/new: { incept: id, output: [water], POST: plant }\n/known: { anyone: true, GET: count }");
  const std::string first(32, 'a');
  const std::string second(32, 'b');
  answers(JsonObject{{"id", first}, {"water", 1}});
  const auto made = request("POST /garden/beds/new/", basic("ann:password-of-ann"));
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.body, R"({"water":1})");
  EXPECT_EQ(id_of(request("GET /identity/", held(made))), first);
  EXPECT_EQ(id_of(sign_in("ann:password-of-ann")), first);
  const auto calls = calls_;
  EXPECT_EQ(request("POST /garden/beds/new/", basic("ann:password-of-ann")).status, 403);
  EXPECT_EQ(request("POST /garden/beds/new/", basic("ann:password-of-bob")).status, 401);
  EXPECT_EQ(request("POST /garden/beds/new/", basic("bob:short")).status, 422);
  EXPECT_EQ(calls_, calls);
  const auto stolen = request("POST /garden/beds/new/");
  EXPECT_EQ(stolen.status, 409);
  EXPECT_EQ(stolen.field("authorization"), "<absent>");
  EXPECT_EQ(request("POST /garden/beds/new/", basic("bob:password-of-bob")).status, 409);
  answers(JsonObject{{"id", second}});
  const auto guest = request("POST /garden/beds/new/");
  EXPECT_EQ(guest.status, 201);
  EXPECT_EQ(id_of(request("GET /identity/", held(guest))), second);
}

TEST_F(IdentityTest, BelongsToItsAuthority) {  // G173, G220
  open(routes);
  const auto made = sign_up("ann:password-of-ann");
  const auto elsewhere = [&](std::string_view line, const std::string& header) {
    return request(line, header, "", "127.0.0.1:8000");
  };
  EXPECT_EQ(elsewhere("GET /identity/", held(made)).status, 401);
  EXPECT_EQ(elsewhere("GET /identity/", basic("ann:password-of-ann")).status, 401);
  EXPECT_EQ(elsewhere("POST /identity/", basic("ann:password-of-ann")).status, 201);
  EXPECT_NE(id_of(elsewhere("GET /identity/", basic("ann:password-of-ann"))), id_of(made));
}

TEST_F(IdentityTest, MakesThePrincipal) {  // G181
  open(routes);
  const auto root = sign_up("root:password-of-root");
  EXPECT_TRUE(root.body.contains(R"("roles":["system"])")) << root.body;
  const auto id = id_of(root);
  EXPECT_EQ(request("POST /identity/roles/" + id + "/", held(root), R"({"role":"a:b"})").status,
            201);
  EXPECT_EQ(request("PATCH /identity/basic/" + id + "/", basic("root:password-of-root"),
                    R"({"username":"toor"})")
                .body,
            R"({"code":"PRINCIPAL_LOCKED"})");
  EXPECT_EQ(request("DELETE /identity/basic/" + id + "/", held(root)).status, 422);
  EXPECT_TRUE(request("POST /identity/", basic("root:password-of-root"), "", "127.0.0.1:8000")
                  .body.contains(R"("roles":[])"));
}

TEST_F(IdentityTest, IsMadeWholeOrNotAtAll) {  // whichever write is the last
  open(routes);
  for (int step = 1;; ++step) {
    writes_ = 0;
    fails_from_ = step;
    const auto user = fmt::format("user{}:password-of-user", step);
    const auto first = sign_up(user);
    fails_from_ = 0;
    if (first.status != 201) {
      EXPECT_EQ(first.status, 503);
      EXPECT_EQ(sign_in(user).status, 401);
      EXPECT_EQ(sign_up(user).status, 201);
    }
    EXPECT_EQ(sign_in(user).status, 200);
    EXPECT_EQ(sign_up(user).status, 403);
    if (first.status == 201) break;
  }
}

TEST_F(IdentityTest, WaitsForStorageWithoutALie) {
  open(routes);
  sign_up("ann:password-of-ann");
  reads_fail_ = true;
  EXPECT_EQ(sign_in("ann:password-of-ann").status, 503);
  EXPECT_EQ(sign_in("ann:password-of-ann").field("retry-after"), "1");
}

TEST_F(IdentityTest, HoldsBackWhoFailsOften) {  // G185
  open(routes, "", "  ip: x-address\n  bouncer: { attempts: 2, interval: 60 }\n");
  const auto from = [](const char* address) { return fmt::format("x-address: {}\r\n", address); };
  const auto wrong = basic("ann:password-of-bob");
  EXPECT_EQ(request("GET /identity/", wrong + from("a")).status, 401);
  EXPECT_EQ(request("GET /identity/", wrong + from("a")).status, 401);
  const auto held_back = request("GET /identity/", wrong + from("a"));
  EXPECT_EQ(held_back.status, 429);
  EXPECT_EQ(held_back.field("retry-after"), "30");
  EXPECT_EQ(request("GET /garden/beds/open/", from("a")).status, 200);
  EXPECT_EQ(request("GET /identity/", wrong + from("b")).status, 401);
  clock_.advance(std::chrono::seconds(30));
  EXPECT_EQ(request("GET /identity/", wrong + from("a")).status, 401);
}

}  // namespace
}  // namespace toa::gateway
