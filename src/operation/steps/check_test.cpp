#include "operation/steps/check.hpp"

#include <gtest/gtest.h>

namespace toa::operation {
namespace {

using manifest::Contract;
using manifest::Operation;
using manifest::QueryRule;
using manifest::Scope;
using manifest::Type;

Operation operation(Type type = Type::transition, QueryRule query = QueryRule::may) {
  Operation made;
  made.label = "shop.wallets.credit";
  made.type = type;
  made.scope = Scope::entry;
  made.query = query;
  return made;
}

Request request(std::string_view text) {
  return *Request::read(*json::parse(text));
}

std::string envelope(const Operation& called, std::string_view text) {
  const auto refused = check_envelope(called, request(text));
  if (!refused) return "";
  EXPECT_EQ(refused->code, Code::request_contract);
  return refused->message;
}

std::string input(const Operation& called, std::string_view text) {
  const auto refused = check_input(called, request(text));
  if (!refused) return "";
  EXPECT_EQ(refused->code, Code::request_contract);
  return refused->message;
}

// R76
TEST(CheckEnvelope, AsksForAnIdentityWhereTheCallIsMadeOnce) {
  auto once = operation();
  once.once_window_s = 600;
  EXPECT_EQ(envelope(once, "{}"),
            "'shop.wallets.credit' is made once, and this call carries no id");
  EXPECT_EQ(envelope(once, R"({"id":"0190a1b2c3d47e5f8091a2b3c4d5e6f7"})"), "");
  EXPECT_EQ(envelope(operation(), "{}"), "");
}

TEST(CheckEnvelope, HoldsAQueryAgainstWhatIsDeclared) {
  const auto must = operation(Type::transition, QueryRule::must);
  const auto must_not = operation(Type::transition, QueryRule::must_not);
  EXPECT_EQ(envelope(must, "{}"), "must have required property 'query'");
  EXPECT_EQ(envelope(must, R"({"query":{"id":"w1"}})"), "");
  EXPECT_EQ(envelope(must_not, "{}"), "");
  EXPECT_EQ(envelope(must_not, R"({"query":{"id":"w1"}})"),
            "'shop.wallets.credit' accepts no query");
}

// R224: what is made under an id is stored under it.
TEST(CheckId, TakesWhatTheRuntimeCouldHaveGivenWhereTheEntityDeclaresNone) {
  const auto said = [](const manifest::Entity& entity, std::string_view text) {
    const auto refused = check_id(entity, request(text));
    return refused ? refused->message : "";
  };
  manifest::Entity entity{.properties = JsonObject{{"sum", JsonObject{}}},
                          .required = {},
                          .blank = {},
                          .associated = true,
                          .storage = "sqlite",
                          .moments = {},
                          .contract = Contract::anything()};
  const std::string why =
      "/id must be 32 hex digits in lower case, since the entity declares no `id`";
  EXPECT_EQ(said(entity, R"({"query":{"id":"0190a1b2c3d47e5f8091a2b3c4d5e6f7"}})"), "");
  EXPECT_EQ(said(entity, R"({"query":{"criteria":"sum==1"}})"), "");
  EXPECT_EQ(said(entity, R"({"query":{"id":"ann"}})"), "query" + why);
  EXPECT_EQ(said(entity, R"({"query":{"id":"0190A1B2C3D47E5F8091A2B3C4D5E6F7"}})"), "query" + why);
  EXPECT_EQ(said(entity, R"({"entity":{"id":"ann"}})"), "entity" + why);
  entity.properties.as_object()["id"] = JsonObject{};
  EXPECT_EQ(said(entity, R"({"query":{"id":"ann"}})"), "");
}

TEST(CheckInput, AcceptsNoneWhereNoneIsDeclared) {
  EXPECT_EQ(input(operation(), "{}"), "");
  EXPECT_EQ(input(operation(), R"({"input":null})"), "");
  EXPECT_EQ(input(operation(), R"({"input":{}})"), "'shop.wallets.credit' accepts no input");
}

TEST(CheckInput, NamesThePropertyThatDoesNotFit) {
  auto called = operation();
  called.input = *Contract::compile(*json::parse(
      R"({"type":"object","properties":{"amount":{"type":"integer","minimum":1}},"required":["amount"],
          "additionalProperties":false})"));
  EXPECT_EQ(input(called, R"({"input":{"amount":1}})"), "");
  EXPECT_EQ(input(called, "{}"), "must have required property 'input'");
  EXPECT_NE(input(called, R"({"input":{}})").find("'amount'"), std::string::npos);
  EXPECT_NE(input(called, R"({"input":{"amount":0}})").find("amount must be >= 1"),
            std::string::npos);
  EXPECT_NE(input(called, R"({"input":{"amount":1,"x":1}})").find("x"), std::string::npos);
  EXPECT_NE(input(called, R"({"input":null})").find("object"), std::string::npos);
}

}  // namespace
}  // namespace toa::operation
