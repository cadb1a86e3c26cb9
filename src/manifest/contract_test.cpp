#include "manifest/contract.hpp"

#include <gtest/gtest.h>

namespace toa::manifest {
namespace {

Json json_of(std::string_view text) {
  auto json = json::parse(text);
  EXPECT_TRUE(json) << text;
  return json ? *std::move(json) : Json();
}

std::string verdict(std::string_view schema, const Json& value) {
  const auto contract = Contract::compile(json_of(schema));
  if (!contract) return contract.error().message;
  return contract->misfit(value).value_or("");
}

TEST(Contract, NamesTheFirstMisfitInTheManualsWords) {
  struct Case {
    const char* schema;
    const char* value;
    const char* misfit;
  };
  for (const auto& [schema, value, misfit] : std::initializer_list<Case>{
           {R"({"required":["amount"]})", R"({})", "must have required property 'amount'"},
           {R"({"properties":{"amount":{"type":"integer"}}})", R"({"amount":1.5})",
            "amount must be integer"},
           {R"({"properties":{"amount":{"type":"integer"}}})", R"({"amount":5.0})", ""},
           {R"({"properties":{"amount":{"minimum":1}}})", R"({"amount":0})", "amount must be >= 1"},
           {R"({"maximum":2.5})", "3", "must be <= 2.5"},
           {R"({"exclusiveMinimum":0})", "0", "must be > 0"},
           {R"({"exclusiveMaximum":9})", "9", "must be < 9"},
           {R"({"multipleOf":0.01})", "0.07", ""},
           {R"({"multipleOf":5})", "7", "must be multiple of 5"},
           {R"({"additionalProperties":false})", R"({"x":1})",
            "must NOT have additional properties: 'x'"},
           {R"({"properties":{"type":{"enum":["a"]}}})", R"({"type":"b"})",
            "type must be equal to one of the allowed values"},
           {R"({"const":{"a":1,"b":2}})", R"({"b":2,"a":1})", ""},
           {R"({"const":1})", "2", "must be equal to constant"},
           {R"({"maxLength":2})", "\"€€\"", ""},
           {R"({"maxLength":2})", "\"abc\"", "must NOT have more than 2 characters"},
           {R"({"minLength":3})", "\"€€\"", "must NOT have fewer than 3 characters"},
           {R"({"pattern":"^a+$"})", "\"ab\"", "must match pattern \"^a+$\""},
           {R"({"format":"date-time"})", "\"2024-02-30T00:00:00Z\"",
            "must match format \"date-time\""},
           {R"({"format":"date-time"})", "\"2024-02-29T23:59:60+00:00\"", ""},
           {R"({"format":"epoch-millis"})", "8640000000000001",
            "must match format \"epoch-millis\""},
           {R"({"format":"email"})", "\"no mail\"", ""},
           {R"({"type":["string","null"]})", "1", "must be string,null"},
           {R"({"properties":{"items":{"items":{"properties":{"price":{"type":"number"}}}}}})",
            R"({"items":[{"price":"1"}]})", "items/0/price must be number"},
           {R"({"uniqueItems":true})", R"([{"a":1,"b":[]},{"b":[],"a":1.0}])",
            "must NOT have duplicate items"},
           {R"({"minItems":1})", "[]", "must NOT have fewer than 1 items"},
           {R"({"maxProperties":0})", R"({"a":1})", "must NOT have more than 0 properties"},
           {R"({"dependencies":{"a":["b"]}})", R"({"a":1})",
            "must have property b when property a is present"},
           {R"({"anyOf":[{"type":"null"},{"minimum":2}]})", "1", "must match a schema in anyOf"},
           {R"({"oneOf":[{"type":"integer"},{"minimum":2}]})", "3",
            "must match exactly one schema in oneOf"},
           {R"({"if":{"type":"string"},"then":{"minLength":1},"else":{"minimum":1}})", "0",
            "must be >= 1"},
           {R"({"not":{"type":"null"}})", "null", "must NOT be valid"},
           {R"({"properties":{"next":{"$ref":"#"}},"required":["v"]})",
            R"({"v":1,"next":{"v":1,"next":{}}})", "next/next must have required property 'v'"},
       }) {
    EXPECT_EQ(verdict(schema, json_of(value)), misfit) << schema << " against " << value;
  }
}

TEST(Contract, RefusesWhatIsNoSchemaNamingThePlace) {
  for (
      const auto& [schema, part] : std::initializer_list<std::pair<const char*, const char*>>{
          {R"({"properties":{"a":{"minimun":1}}})", "properties/a/minimun: unknown word"},
          {R"({"type":"int"})", "type: 'int' is no type"},
          {R"({"required":"a"})", "required: must be array"},
          {R"({"minLength":-1})", "minLength: must be a whole number"},
          {R"j({"pattern":"("})j", "pattern: is no regular expression"},
          {R"j({"pattern":"(?R)"})j", "not supported"},
          {R"({"pattern":"\\p{L}"})", "'\\p', which is not supported"},
          {R"({"$ref":"http://example.com/schema"})", "points outside"},
          {R"({"$ref":"#/definitions/none"})", "points at nothing"},
          {R"({"$ref":"#"})", "refers to itself"},
          {R"({"definitions":{"a":{"allOf":[{"$ref":"#/definitions/b"}]},"b":{"not":{"$ref":"#/definitions/a"}}}})",
           "refers to itself"},
          {R"("text")", "must be a schema"},
      }) {
    const auto contract = Contract::compile(json_of(schema));
    ASSERT_FALSE(contract) << schema;
    EXPECT_NE(contract.error().message.find(part), std::string::npos) << contract.error().message;
  }
}

TEST(Contract, FindsEverythingThatIsWrongWithASchema) {
  const auto contract =
      Contract::check(json_of(R"({"type":"x","properties":{"a":{"minimum":"1"}}})"));
  ASSERT_FALSE(contract);
  ASSERT_EQ(contract.error().size(), 2u);
  EXPECT_EQ(contract.error()[1].path, (std::vector<std::string>{"properties", "a", "minimum"}));
}

TEST(Contract, OutlivesTheSchemaItWasMadeOf) {
  std::optional<Contract> copy;
  {
    auto schema = json_of(R"({"enum":["a","b"]})");
    copy = *Contract::compile(schema);
  }
  EXPECT_FALSE(copy->misfit(Json("b")));
  EXPECT_TRUE(copy->misfit(Json("c")));
}

// Hostile schemas and values: refused or answered, never a crash or an endless check.

TEST(Contract, BoundsPatternsThatBacktrack) {
  EXPECT_NE(verdict(R"({"pattern":"^(a+)+$"})", Json(std::string(50, 'a') + "!")), "");
  EXPECT_NE(verdict(R"({"not":{"pattern":"^(a+)+$"}})", Json(std::string(50, 'a') + "!")), "");
}

TEST(Contract, ChecksAMillionCharactersAgainstAPattern) {
  EXPECT_EQ(verdict(R"({"pattern":"^[a-z]+$"})", Json(std::string(1'000'000, 'a'))), "");
  EXPECT_NE(verdict(R"({"pattern":"^(a|b)*c$"})", Json(std::string(1'000'000, 'a'))), "");
}

TEST(Contract, RefusesSchemasNestedWithoutEnd) {
  Json schema(true);
  for (int i = 0; i < 5'000; ++i) schema = JsonObject{{"not", std::move(schema)}};
  EXPECT_FALSE(Contract::compile(schema));
  // Taken apart from the outside, since the destructor of so deep a value is recursive too.
  while (schema.is_object()) schema = Json(std::move(schema.get_object()["not"]));
}

TEST(Contract, BoundsTheWorkOfSchemasThatDouble) {
  JsonObject definitions;
  for (int i = 0; i < 12; ++i) {
    const JsonObject next{{"$ref", "#/definitions/d" + std::to_string(i + 1)}};
    definitions["d" + std::to_string(i)] = {{"anyOf", JsonArray{next, next}}};
  }
  definitions["d12"] = false;
  const auto contract = Contract::compile(
      JsonObject{{"definitions", definitions}, {"items", {{"$ref", "#/definitions/d0"}}}});
  ASSERT_TRUE(contract);
  EXPECT_TRUE(contract->misfit(JsonArray(10'000, Json(1))));
}

// A row of classes is checked without a regular expression: both ways must agree.
TEST(Contract, ChecksShapesAsItChecksPatterns) {
  const std::string texts[] = {"",     "a",  "ab",     "abc", "abcd", "A1",
                               "AB12", "a1", "\u00e9", "a\n", "A-1"};
  for (const std::string shape : {"^$", "^a$", "^[a-c]{2}$", "^[A-Z]{1}[0-9]+$", "^[a-z]{2,3}$",
                                  "^[a-z]{2,}$", "^ab?$", "^[A-Za-z0-9]*$", "^[a-z]{0}$"}) {
    // The empty group is nothing to a regular expression, and unknown to a shape.
    const auto plain = shape.substr(0, shape.size() - 1) + "(?:)$";
    const auto quick = Contract::compile(JsonObject{{"pattern", shape}});
    const auto slow = Contract::compile(JsonObject{{"pattern", plain}});
    ASSERT_TRUE(quick && slow) << shape;
    for (const auto& text : texts) {
      EXPECT_EQ(quick->misfit(Json(text)).has_value(), slow->misfit(Json(text)).has_value())
          << shape << " " << text;
    }
  }
}

TEST(Contract, ReadsPatternsAsJavaScriptDoes) {
  EXPECT_EQ(verdict(R"({"pattern":"^.{3}$"})", Json("€uß")), "");
  EXPECT_EQ(verdict(R"({"pattern":"^\\u00e9\\/\\<$"})", Json("é/<")), "");
  EXPECT_NE(verdict(R"({"pattern":"^a$"})", Json("a\n")), "");
  EXPECT_NE(verdict(R"({"pattern":"^b$"})", Json("a\nb")), "");
  EXPECT_NE(verdict(R"({"pattern":"^a.b$"})", Json("a\nb")), "");
  EXPECT_EQ(verdict(R"({"pattern":"^(?=.*\\d)(?!x)\\w+$"})", Json("a1")), "");
  EXPECT_EQ(verdict(R"({"pattern":"b"})", Json("abc")), "");
}

}  // namespace
}  // namespace toa::manifest
