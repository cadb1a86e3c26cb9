#include "typegen/schema_type.hpp"

#include <gtest/gtest.h>

namespace toa::typegen {
namespace {

std::string type(std::string_view schema) {
  const auto json = json::parse(schema);
  EXPECT_TRUE(json) << schema;
  return json ? schema_type(*json) : "";
}

TEST(SchemaType, SaysWhatTypeScriptCan) {
  for (const auto& [schema, expected] : std::initializer_list<std::pair<const char*, const char*>>{
           {R"(true)", "unknown"},
           {R"({})", "unknown"},
           {R"(false)", "never"},
           {R"({"type":"integer","minimum":1})", "number"},
           {R"({"type":["string","null"]})", "string | null"},
           {R"({"type":"string","format":"secret"})", "Secret"},
           {R"({"enum":["it's",1,null]})", R"('it\'s' | 1 | null)"},
           {R"({"const":{"a":1}})", R"({"a":1})"},
           {R"({"items":{"type":["string","null"]}})", "(string | null)[]"},
           {R"({"type":"array"})", "unknown[]"},
           {R"({"type":"array","items":[{"type":"string"},{"type":"number"}],"minItems":1,
                "additionalItems":false})",
            "[string, number?]"},
           {R"({"type":"object"})", "Record<string, unknown>"},
           {R"({"type":"object","additionalProperties":{"type":"number"}})",
            "Record<string, number>"},
           {R"({"type":"object","additionalProperties":false})", "Record<string, never>"},
           {R"({"anyOf":[{"type":"string"},{"type":"number"},{"type":"string"}]})",
            "string | number"},
           {R"({"type":"string","anyOf":[{"minLength":1},{"maxLength":0}]})", "string"},
           {R"({"allOf":[{"type":["string","null"]},{"type":"string"}]})",
            "(string | null) & string"},
       })
    EXPECT_EQ(type(schema), expected) << schema;
}

TEST(SchemaType, WritesAMemberALineWithWhatIsSaidOfIt) {
  EXPECT_EQ(type(R"({"properties":{"a":{"type":"string","description":"not */ the end"},
                     "b-c":{"properties":{"d":{}}}},"required":["a"]})"),
            "{\n"
            "  /** not * / the end */\n"
            "  a: string\n"
            "  'b-c'?: {\n"
            "    d?: unknown\n"
            "  }\n"
            "}");
}

TEST(SchemaType, EndsWhereASchemaRefersToItself) {
  const auto type_of_tree =
      type(R"({"properties":{"next":{"$ref":"#"},"leaf":{"$ref":"#/definitions/leaf"}},
               "definitions":{"leaf":{"type":"number"}}})");
  EXPECT_TRUE(type_of_tree.contains("leaf?: number"));
  EXPECT_TRUE(type_of_tree.contains("next?: unknown"));
}

}  // namespace
}  // namespace toa::typegen
