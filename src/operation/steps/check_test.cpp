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
