#include "manifest/yaml.hpp"

#include <gtest/gtest.h>

#include "manifest/print_yaml.hpp"

namespace toa::manifest {
namespace {

std::string read(std::string_view text) {
  const auto yaml = read_yaml(text);
  return yaml ? json::print(yaml->value)
              : std::to_string(yaml.error().line) + ": " + yaml.error().message;
}

TEST(Yaml, ReadsPlainScalarsAsJavaScriptDoes) {
  for (const auto& [text, json] : std::initializer_list<std::pair<const char*, const char*>>{
           {"~", "null"},
           {"", "null"},
           {"null", "null"},
           {"True", "true"},
           {"yes", "\"yes\""},
           {"12", "12"},
           {"-0x1f", "-31"},
           {"0o17", "15"},
           {"1_000", "1000"},
           {"1.50", "1.5"},
           {".5", "0.5"},
           {"1e3", "1000"},
           {"1.2.3", "\"1.2.3\""},
           {"-", "[null]"},
           {"2024-01-01", "\"2024-01-01\""},
           {"12:30", "\"12:30\""},
           {"'12'", "\"12\""},
           {"!!str 12", "\"12\""},
           {"9007199254740992", "9007199254740992"},
           {"12345678901234567890123456789012", "\"12345678901234567890123456789012\""},
           {"1e567890123456789012345678901234", "\"1e567890123456789012345678901234\""},
       }) {
    EXPECT_EQ(read(text), json) << text;
  }
}

TEST(Yaml, FollowsAnchorsAndMergeKeys) {
  EXPECT_EQ(read("a: &x { p: 1, q: 2 }\nb: *x\nc: { <<: *x, q: 3 }\nd: { <<: [{ r: 1 }, *x] }\n"),
            R"({"a":{"p":1,"q":2},"b":{"p":1,"q":2},"c":{"q":3,"p":1},"d":{"r":1,"p":1,"q":2}})");
}

TEST(Yaml, KnowsTheLineOfEveryKey) {
  const auto yaml = read_yaml("a:\n  b:\n    - x\n    - y: 1\n\nc: 1\n");
  ASSERT_TRUE(yaml);
  EXPECT_EQ(yaml->lines.of("a").of("b").line, 2);
  EXPECT_EQ(yaml->lines.of("a").of("b").of(1).line, 4);
  EXPECT_EQ(yaml->lines.of("c").line, 6);
}

TEST(Yaml, RefusesWhatWouldBeReadWrongly) {
  for (const auto& [text, error] : std::initializer_list<std::pair<std::string, const char*>>{
           {"a: 1\na: 2", "2: duplicate key 'a'"},
           {"a: 9007199254740993", "1: integer 9007199254740993 is beyond 2^53"},
           {"a: .inf", "1: '.inf' is no number"},
           {"a: 1e999", "beyond what a double can hold"},
           {"? [a]\n: 1", "a key must be text"},
           {"~: 1", "a key must be text"},
           {"a: !!binary eA==", "tag 'tag:yaml.org,2002:binary' is not supported"},
           {"a: *b", "not valid YAML"},
           {"a: &b [*b]", "inside what it names"},
           {"a: { <<: 1 }", "'<<' merges"},
           {"a\n---\nb", "more than one document"},
           {"a: [1", "not valid YAML"},
           {"a: \xff", "not valid UTF-8"},
           {std::string("a: \0b", 5), "control character"},
           {std::string("\x7f"
                        "ELF\x02\x01\x01",
                        7),
            "control character"},
       }) {
    EXPECT_NE(read(text).find(error), std::string::npos) << text << " → " << read(text);
  }
}

TEST(Yaml, RefusesTextsThatGrow) {
  std::string values = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  std::string bytes = "a0: &a0 '" + std::string(1'000'000, 'x') + "'\n";
  for (int i = 1; i < 10; ++i) {
    const auto name = "a" + std::to_string(i);
    const auto inner = "*a" + std::to_string(i - 1);
    std::string line = name + ": &" + name + " [" + inner;
    for (int j = 1; j < 10; ++j) line += ", " + inner;
    values += line + "]\n";
    bytes += line + "]\n";
  }
  EXPECT_NE(read(values).find("grows beyond"), std::string::npos);
  EXPECT_NE(read(bytes).find("grows beyond"), std::string::npos);
}

TEST(Yaml, RefusesTextsNestedTooDeep) {
  EXPECT_NE(read(std::string(100'000, '[')), "");
  EXPECT_NE(read(std::string(200, '[') + std::string(200, ']')).find("deeper"), std::string::npos);
  std::string blocks, keys, aliases = "a0: &a0 x\n";
  for (int i = 0; i < 5'000; ++i) blocks += "- ";
  for (int i = 0; i < 5'000; ++i) keys += "? ";
  for (int i = 1; i < 200; ++i) {
    aliases += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" +
               std::to_string(i - 1) + "]\n";
  }
  EXPECT_NE(read(blocks).find("deeper"), std::string::npos) << read(blocks);
  EXPECT_FALSE(read_yaml(keys));
  EXPECT_NE(read(aliases).find("deeper"), std::string::npos);
}

TEST(Yaml, RefusesTextsThatAreTooLong) {
  EXPECT_NE(read(std::string(limits::manifest_bytes_max + 1, 'x')).find("over the limit"),
            std::string::npos);
}

TEST(Yaml, ReadsRequestsInEitherForm) {
  const auto id = std::string(32, '1');
  const auto wanted =
      R"({"query":{"id":")" + id + R"("},"input":{"amount":500,"type":"goodwill"}})";
  EXPECT_EQ(json::print(*parse_yaml("{ query: { id: '" + id +
                                    "' }, input: { amount: 500, type: goodwill } }")),
            wanted);
  EXPECT_EQ(json::print(*parse_yaml("{ query: { id: " + id +
                                    " }, input: { amount: 500, type: goodwill } }")),
            wanted);
  EXPECT_EQ(json::print(*parse_yaml(wanted)), wanted);
  EXPECT_EQ(json::print(*parse_yaml(R"({"a":"\ud83d\ude00\/"})")), "{\"a\":\"\U0001F600/\"}");
  EXPECT_FALSE(parse_yaml(R"({"a":1,"a":2})"));
  EXPECT_FALSE(parse_yaml("{ a: 1"));
}

TEST(Yaml, IsReadBackAsItWasPrinted) {
  for (const auto* text :
       {R"([null,true,"null","~","x\u007f","a: b","- a","<<",""])", R"({"a":null,"<<":1,"~":{}})",
        R"({"\u0001":"c\r\rd\n","x\u007f":[[]]})"}) {
    const auto value = *json::parse(text);
    const auto again = parse_yaml(print_yaml(value));
    ASSERT_TRUE(again) << print_yaml(value);
    EXPECT_EQ(json::print(*again), json::print(value));
  }
}

}  // namespace
}  // namespace toa::manifest
