#include "gateway/access.hpp"

#include "gateway/test_gateway.hpp"
#include "model/identity.hpp"

namespace toa::gateway {
namespace {

/// Believes every name that it is told, but for `nobody`.
class Believing final : public Access {
 public:
  Task<Verdict> authenticate(Exchange& exchange) override {
    const auto said = exchange.request.find("authorization").value_or("");
    if (said == "flood") co_return Refused{429, {}, std::chrono::seconds(7)};
    if (said != "nobody") exchange.caller = Caller{.id = std::string(said)};
    co_return Verdict{};
  }
  bool concludes(const Exchange& exchange) const override { return exchange.caller.has_value(); }
  Task<Verdict> conclude(Exchange& exchange) override {
    exchange.response.add("authorization", "Token of " + exchange.caller->id);
    exchange.cache_control = "no-store";
    co_return Verdict{};
  }
};

/// Admits everybody.
class OpenFamily final : public Family {
 public:
  std::string_view name() const override { return "auth"; }
  void make(const std::vector<Stated>&, MethodSite) const override {}
};

class AccessTest : public GatewayTest {
 protected:
  AccessTest() {
    asked_ = &believing_;
    families_[2] = &open_;
  }

  Believing believing_;
  OpenFamily open_;
};

TEST_F(AccessTest, IsAskedWhereThereAreCredentials) {  // G170, G171
  beds("/:id:\n  output: true\n  GET: observe");
  expose();
  EXPECT_EQ(ask("GET /garden/beds/a/").field("authorization"), "<absent>");
  EXPECT_EQ(ask("GET /garden/beds/a/", "authorization: nobody\r\n").field("authorization"),
            "<absent>");
  EXPECT_EQ(ask("GET /garden/beds/a/", "authorization: ann\r\n").field("authorization"),
            "Token of ann");
}

TEST_F(AccessTest, MayRefuseToListen) {  // G185
  beds("/:id: { GET: observe }");
  expose();
  const auto refused = ask("GET /garden/beds/a/", "authorization: flood\r\n");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.field("retry-after"), "7");
  EXPECT_EQ(calls_, 0);
}

TEST_F(AccessTest, ConcludesOnlyWhatSucceeded) {
  beds("/:id: { PUT: soak }");
  expose();
  reply_ = Reply{Refusal{"TOO_WET", {}}};
  const auto refused = ask("PUT /garden/beds/a/", "authorization: ann\r\n");
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.field("authorization"), "<absent>");
  EXPECT_EQ(refused.field("cache-control"), "no-store");  // G125
}

TEST_F(AccessTest, GivesEveryCallerKeysOfTheirOwn) {  // G98, G101, G102
  beds("/:id: { PUT: soak }");
  expose();
  const auto id = [&](const std::string& caller) {
    ask("PUT /garden/beds/a/", "idempotency-key: k\r\n" + caller);
    return *last_->request.id;
  };
  const auto anns = id("authorization: ann\r\n");
  EXPECT_EQ(id("authorization: ann\r\n"), anns);
  EXPECT_NE(id("authorization: bob\r\n"), anns);
  EXPECT_NE(id(""), anns);
  EXPECT_EQ(id(""), id("authorization: nobody\r\n"));
}

class Quiet final : public Access {
 public:
  Task<Verdict> authenticate(Exchange& exchange) override {
    exchange.caller = Caller{.id = "ann"};
    co_return Verdict{};
  }
  bool concludes(const Exchange&) const override { return false; }
  Task<Verdict> conclude(Exchange&) override { co_return Verdict{}; }
};

TEST_F(AccessTest, ChangesWhatMayBeCached) {  // G124–G126, G128
  Quiet quiet;
  asked_ = &quiet;
  beds(R"(output: true
/none: { GET: observe }
/plain: { GET: observe, cache:control: max-age=60 }
/own: { GET: observe, cache:control: 'private, max-age=60' }
/all: { GET: observe, cache:control: 'public, max-age=60' }
/exact: { PUT: soak, cache:exact: 'public, max-age=60' })");
  expose();
  const auto seen = [&](const std::string& line, const char* header) {
    return ask(line + "/", "authorization: ann\r\n").field(header);
  };
  EXPECT_EQ(seen("GET /garden/beds/none", "cache-control"), "no-store");
  EXPECT_EQ(seen("GET /garden/beds/plain", "cache-control"), "private, max-age=60");
  EXPECT_EQ(seen("GET /garden/beds/plain", "vary"), "origin, accept, authorization");
  EXPECT_EQ(seen("GET /garden/beds/own", "cache-control"), "private, max-age=60");
  EXPECT_EQ(seen("GET /garden/beds/all", "cache-control"), "public, max-age=60, no-cache");
  EXPECT_EQ(seen("GET /garden/beds/all", "vary"), "origin, accept");
  EXPECT_EQ(seen("PUT /garden/beds/exact", "cache-control"), "public, max-age=60");
}

}  // namespace
}  // namespace toa::gateway
