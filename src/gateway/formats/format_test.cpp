#include "gateway/formats/format.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/limits.hpp"
#include "gateway/formats/form.hpp"
#include "gateway/formats/msgpack.hpp"

namespace toa::gateway {
namespace {

using Trouble = Decoded::Trouble;

std::string read(std::string_view type, std::string_view body) {
  const auto decoded = decode(type, body);
  return decoded.document ? json::print(decoded.document->value()) : decoded.why;
}

TEST(Formats, NegotiatesByQuality) {  // G83, G84
  EXPECT_EQ(negotiate(""), Format::json);
  EXPECT_EQ(negotiate("*/*"), Format::json);
  EXPECT_EQ(negotiate("application/*"), Format::json);
  EXPECT_EQ(negotiate("application/yaml"), Format::yaml);
  EXPECT_EQ(negotiate("Application/MSGPACK"), Format::msgpack);
  EXPECT_EQ(negotiate("text/*"), Format::text);
  EXPECT_EQ(negotiate("text/html, */*;q=0.8"), Format::json);
  EXPECT_EQ(negotiate("application/json;q=0.5, application/yaml;q=0.9"), Format::yaml);
  EXPECT_EQ(negotiate("application/yaml, application/json"), Format::yaml);
  EXPECT_EQ(negotiate("application/json;q=0, */*"), Format::yaml);
  EXPECT_EQ(negotiate("*/*;q=0.1, text/plain;q=0.2"), Format::text);
  EXPECT_EQ(negotiate("text/html"), std::nullopt);
  EXPECT_EQ(negotiate("application/json;q=0"), std::nullopt);
  EXPECT_EQ(negotiate(",,;q=,\"a,b\""), std::nullopt);
}

TEST(Formats, ReadsBodiesByTheirType) {  // G41, G81, G82
  EXPECT_EQ(read("application/json; charset=utf-8", "{\"a\":1}"), "{\"a\":1}");
  EXPECT_EQ(read("application/yaml", "a: [1, x]"), "{\"a\":[1,\"x\"]}");
  EXPECT_EQ(read("text/plain", "hi"), "\"hi\"");
  EXPECT_EQ(read("application/x-www-form-urlencoded", "a=1&b=x+y&b=%C3%A9&c"),
            "{\"a\":\"1\",\"b\":[\"x y\",\"é\"],\"c\":\"\"}");  // G44
  EXPECT_EQ(read("application/msgpack",
                 "\x81\xa1"
                 "a\xc3"),
            "{\"a\":true}");
  EXPECT_EQ(decode("image/png", "x").trouble, Trouble::unsupported);  // G85
  EXPECT_EQ(decode("", "x").trouble, Trouble::unsupported);
}

TEST(Formats, RefusesBodiesThatCannotBeRead) {  // G86
  EXPECT_EQ(decode("application/json", "{").trouble, Trouble::unreadable);
  EXPECT_EQ(decode("application/json", "{\"a\":1,\"a\":2}").trouble, Trouble::unreadable);
  EXPECT_EQ(decode("application/json", std::string(1'000, '[')).trouble, Trouble::unreadable);
  EXPECT_EQ(decode("application/json", "\"\xff\"").trouble, Trouble::unreadable);
  EXPECT_EQ(decode("text/plain", "\xff").trouble, Trouble::unreadable);
  EXPECT_EQ(decode("application/x-www-form-urlencoded", "a=%zz").trouble, Trouble::unreadable);
  EXPECT_EQ(decode("application/x-www-form-urlencoded", "a=%ff").trouble, Trouble::unreadable);
  EXPECT_EQ(decode("application/x-www-form-urlencoded", "a=%c").trouble, Trouble::unreadable);
}

TEST(Formats, BoundsYamlThatExpands) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const auto last = "*a" + std::to_string(i - 1);
    bomb +=
        fmt::format("a{0}: &a{0} [{1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}]\n", i, last);
  }
  EXPECT_EQ(decode("application/yaml", bomb).trouble, Trouble::unreadable);
  EXPECT_EQ(decode("application/yaml", std::string(limits::http_yaml_bytes_max + 1, 'a')).trouble,
            Trouble::too_large);
}

TEST(Formats, WritesEachFormat) {  // G87, G89
  const auto value = Document::of({{"code", "TOO_WET"}});
  EXPECT_EQ(encode(Format::json, value), "{\"code\":\"TOO_WET\"}");
  EXPECT_EQ(encode(Format::yaml, value), "code: TOO_WET\n");
  EXPECT_EQ(encode(Format::msgpack, value),
            "\x81\xa4"
            "code\xa7TOO_WET");
  const auto text = Document::of("Route not found");
  EXPECT_EQ(encode(Format::json, text), "\"Route not found\"");
  EXPECT_EQ(encode(Format::text, text), "Route not found");
}

TEST(Msgpack, ReadsEveryForm) {
  const auto parsed = [](std::initializer_list<int> bytes) {
    std::string text;
    for (const int byte : bytes) text += static_cast<char>(byte);
    const auto value = parse_msgpack(text);
    return value ? json::print(*value) : value.error().message;
  };
  EXPECT_EQ(parsed({0xff}), "-1");
  EXPECT_EQ(parsed({0xcc, 0xff}), "255");
  EXPECT_EQ(parsed({0xd0, 0x80}), "-128");
  EXPECT_EQ(parsed({0xd3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe}), "-2");
  EXPECT_EQ(parsed({0xca, 0x3f, 0xc0, 0, 0}), "1.5");
  EXPECT_EQ(parsed({0xcb, 0x40, 0, 0, 0, 0, 0, 0, 0}), "2");
  EXPECT_EQ(parsed({0xd4, 0, 0}), "null");
  EXPECT_EQ(parsed({0xd6, 0xff, 0, 0, 0, 1}), "\"1970-01-01T00:00:01.000Z\"");
  EXPECT_EQ(parsed({0xdc, 0, 1, 0xc0}), "[null]");
  EXPECT_EQ(parsed({0xde, 0, 1, 0xd9, 1, 'a', 0xc2}), "{\"a\":false}");
}

TEST(Msgpack, RefusesWhatJsonCannotHold) {
  for (const auto& bytes :
       std::vector{std::string("\xc4\x01x"), std::string("\x81\x01\x01"), std::string("\xc1"),
                   std::string("\xcb\x7f\xf0\0\0\0\0\0\0", 9),
                   std::string("\xcf\xff\xff\xff\xff\xff\xff\xff\xff"), std::string("\xa1\xff"),
                   std::string("\x82\xa1"
                               "a\x01\xa1"
                               "a\x02"),
                   std::string("\x01\x02"), std::string("\xdd\xff\xff\xff\xff"),
                   std::string("\xdf\xff\xff\xff\xff"), std::string("\xdb\xff"),
                   std::string("\xd6\x05xxxx"), std::string(500, '\x91'), std::string()}) {
    EXPECT_FALSE(parse_msgpack(bytes));
  }
}

RC_GTEST_PROP(Msgpack, ReadsBackWhatItWrote, (const std::vector<std::int32_t>& numbers)) {
  JsonArray items;
  for (const auto number : numbers) {
    items.push_back(number);
    items.push_back(number / 7.0);
    items.push_back(JsonObject{{std::to_string(number), std::string(number & 0x1ff, 'x')}});
  }
  const auto value = json::parse(json::print(items));
  const auto back = parse_msgpack(print_msgpack(*value));
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == *value);
}

RC_GTEST_PROP(Msgpack, EndsOnAnyBytes, (const std::string& bytes)) {
  static_cast<void>(parse_msgpack(bytes));
}

}  // namespace
}  // namespace toa::gateway
