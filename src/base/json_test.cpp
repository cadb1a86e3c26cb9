#include "base/json.hpp"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <string>

namespace toa {
namespace {

std::string refusal(std::string_view text, json::ParseLimits limits = {}) {
  const auto parsed = json::parse(text, limits);
  if (parsed) return "it was read";
  EXPECT_EQ(parsed.error().kind, ErrorKind::invalid);
  return parsed.error().message;
}

std::string again(std::string_view text) {
  const auto parsed = json::parse(text);
  return parsed ? json::print(*parsed) : parsed.error().message;
}

bool says(const std::string& message, std::string_view part) {
  return message.find(part) != std::string::npos;
}

TEST(Json, RefusesDuplicateKeysAndNamesThem) {
  EXPECT_TRUE(says(refusal(R"({"amount":1,"amount":2})"), R"(duplicate key "amount")"));
  EXPECT_TRUE(says(refusal(R"({"a":{"b":1,"\u0062":2}})"), R"(duplicate key "b")"));
  EXPECT_EQ(again(R"([{"a":1},{"a":2}])"), R"([{"a":1},{"a":2}])");
}

TEST(Json, SaysWhereTheTextIsWrong) {
  EXPECT_TRUE(says(refusal("{\n  \"a\": x\n}"), "line 2, column"));
  EXPECT_TRUE(says(refusal("1 2"), "(line 1, column 3)"));
  EXPECT_TRUE(says(refusal(""), "not valid JSON"));
  EXPECT_TRUE(says(refusal("[1,]"), "not valid JSON"));
  EXPECT_TRUE(says(refusal("// no\n1"), "not valid JSON"));
  EXPECT_TRUE(says(refusal("NaN"), "not valid JSON"));
}

TEST(Json, ReadsNestingUpToItsLimit) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(again(nested(limits::document_depth_max)), nested(limits::document_depth_max));
  EXPECT_TRUE(says(refusal(nested(limits::document_depth_max + 1)), "nested deeper than 100"));
  EXPECT_TRUE(says(refusal(std::string(1'000'000, '[')), "nested deeper"));
}

TEST(Json, ReadsTextsUpToTheirSize) {
  const std::string text = "\"" + std::string(100, 'a') + "\"";
  EXPECT_TRUE(json::parse(text, {.bytes_max = 102}));
  EXPECT_TRUE(says(refusal(text, {.bytes_max = 101}), "102 bytes is over the limit of 101"));
  const std::string big = "\"" + std::string(8u << 20, 'x') + "\"";
  EXPECT_EQ(again(big), big);
}

TEST(Json, RefusesDuplicateKeysHoweverFarApart) {
  std::string members = "\"k0\":{\"k1\":[{\"k0\":0}]}";
  for (int i = 1; i < 100; ++i) members += fmt::format(",\"k{}\":{}", i, i);
  EXPECT_EQ(again('{' + members + '}'), '{' + members + '}');
  for (const auto* again : {"k0", "k15", "k16", "k17", "k99"}) {
    EXPECT_TRUE(says(refusal(fmt::format("{{{},\"{}\":0}}", members, again)),
                     fmt::format("duplicate key \"{}\"", again)));
  }
}

TEST(Json, RefusesTextThatIsNoUtf8) {
  EXPECT_TRUE(says(refusal("\"\xff\""), "not valid JSON"));
  EXPECT_TRUE(says(refusal("\"\xc0\xaf\""), "not valid JSON"));
  EXPECT_TRUE(says(refusal("\"\xed\xa0\x80\""), "not valid JSON"));
  EXPECT_TRUE(says(refusal(R"("\ud800")"), "not valid JSON"));
  EXPECT_EQ(again("\"\xf0\x9f\x90\x98\""), "\"\xf0\x9f\x90\x98\"");
  EXPECT_EQ(again(R"("\ud83d\udc18")"), "\"\xf0\x9f\x90\x98\"");
}

TEST(Json, RefusesIntegersThatJavaScriptWouldChange) {
  EXPECT_EQ(again("9007199254740992"), "9007199254740992");
  EXPECT_EQ(again("-9007199254740992"), "-9007199254740992");
  for (const auto* text : {"9007199254740993", "-9007199254740993", "18446744073709551616",
                           "123456789012345678901234567890"}) {
    EXPECT_TRUE(says(refusal(text), "would lose digits")) << text;
  }
}

TEST(Json, RefusesNumbersThatNoDoubleHolds) {
  EXPECT_TRUE(says(refusal("1e400"), "beyond what a double can hold"));
  EXPECT_TRUE(says(refusal("-1e400"), "beyond what a double can hold"));
  EXPECT_TRUE(says(refusal(std::string(400, '9')), "beyond what a double can hold"));
  EXPECT_EQ(again("1e-400"), "0");
  EXPECT_EQ(again("5e-324"), "5e-324");
  EXPECT_EQ(again("1.7976931348623157e308"), "1.7976931348623157e+308");
}

TEST(Json, PrintsEqualNumbersAlike) {
  EXPECT_EQ(again("[1, 1.0, 1e0, 10e-1]"), "[1,1,1,1]");
  EXPECT_EQ(again("[-0, -0.0, 0e5]"), "[0,0,0]");
  EXPECT_EQ(json::print(Json(-0.0)), "0");
  EXPECT_TRUE(json::parse("3.0")->is_int64());
}

TEST(Json, PrintsDoublesAsJavaScriptDoes) {
  EXPECT_EQ(again("12.5"), "12.5");
  EXPECT_EQ(again("0.00001"), "0.00001");
  EXPECT_EQ(again("0.000001"), "0.000001");
  EXPECT_EQ(again("1e-7"), "1e-7");
  EXPECT_EQ(again("-1.25e-9"), "-1.25e-9");
  EXPECT_EQ(again("1.5e300"), "1.5e+300");
  EXPECT_EQ(again("0.1"), "0.1");
  EXPECT_EQ(again("123456789.125"), "123456789.125");
  EXPECT_EQ(json::print(Json(1200.0)), "1200");
}

// A number that is read must be printed so that it is read again: the state of an object is such a
// text.
TEST(Json, PrintsWholeDoublesBeyondTheExactOnesWithAnExponent) {
  EXPECT_EQ(again("9.007199254740994e15"), "9.007199254740994e+15");
  EXPECT_EQ(again("1e20"), "1e+20");
  EXPECT_EQ(again(again("9.007199254740994e15")), "9.007199254740994e+15");
}

TEST(Json, EscapesWhatMustBe) {
  EXPECT_EQ(again(R"("\u0000\u001f\"\\\/\b\f\n\r\t")"), R"("\u0000\u001f\"\\/\u0008\u000c\n\r\t")");
}

TEST(Json, FindsMembersOfObjectsOnly) {
  const auto value = *json::parse(R"({"a":{"b":1}})");
  ASSERT_NE(json::find(value, "a"), nullptr);
  EXPECT_EQ(json::find(value, "b"), nullptr);
  EXPECT_EQ(json::find(Json(1), "a"), nullptr);
}

rc::Gen<std::string> any_text() {
  // Any bytes but those beyond ASCII: what is no UTF-8 is refused by a test of its own.
  return rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
}

double any_double() {
  const auto bits = *rc::gen::arbitrary<std::uint64_t>();
  const auto number = std::bit_cast<double>(bits);
  return std::isfinite(number) ? number : 0.5;
}

Json any_json(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::inRange<std::int64_t>(-(1LL << 53), (1LL << 53) + 1);
    case 3:
      return any_double();
    case 4:
      return Json(*any_text());
    case 5: {
      JsonArray array;
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) array.push_back(any_json(depth - 1));
      return array;
    }
    default: {
      JsonObject object;
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) object[*any_text()] = any_json(depth - 1);
      return object;
    }
  }
}

TEST(Json, ReadsBackWhatItPrints) {
  EXPECT_TRUE(rc::check("print after parse after print is print", [] {
    const auto text = json::print(any_json(4));
    const auto parsed = json::parse(text);
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(json::print(*parsed) == text);
  }));
}

TEST(Json, KeepsEveryDouble) {
  EXPECT_TRUE(rc::check("a double survives", [] {
    const double number = any_double();
    const auto parsed = json::parse(json::print(Json(number)));
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(parsed->to_number<double>() == number);
  }));
}

// Bytes of any kind are read or refused; neither ends the process.
TEST(Json, AnswersToAnyBytes) {
  EXPECT_TRUE(rc::check("any bytes", [] {
    const auto bytes = *rc::gen::arbitrary<std::string>();
    const auto parsed = json::parse(bytes);
    if (parsed) RC_ASSERT(json::parse(json::print(*parsed)).has_value());
  }));
}

}  // namespace
}  // namespace toa
