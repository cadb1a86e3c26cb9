#include "model/criteria.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/limits.hpp"

namespace toa {
namespace {

/// The tree with every grouping shown: `all(a==1 any(b==2 c==3))`.
std::string tree(const Criteria& criteria) {
  if (std::holds_alternative<Condition>(criteria.node)) return print(criteria);
  const auto* all = std::get_if<Criteria::All>(&criteria.node);
  std::string out = all != nullptr ? "all(" : "any(";
  const auto& parts = all != nullptr ? all->parts : std::get<Criteria::Any>(criteria.node).parts;
  for (const auto& part : parts) out += (out.back() == '(' ? "" : " ") + tree(part);
  return out + ")";
}

std::string read(std::string_view text) {
  const auto criteria = parse_criteria(text);
  return criteria ? tree(*criteria) : criteria.error().message;
}

const Condition& only(const Criteria& criteria) {
  return std::get<Condition>(criteria.node);
}

TEST(Criteria, ReadsEveryComparison) {
  const std::pair<const char*, Comparison> cases[] = {
      {"a==1", Comparison::equal},      {"a!=1", Comparison::unequal},
      {"a<1", Comparison::less},        {"a=lt=1", Comparison::less},
      {"a<=1", Comparison::at_most},    {"a=le=1", Comparison::at_most},
      {"a>1", Comparison::greater},     {"a=gt=1", Comparison::greater},
      {"a>=1", Comparison::at_least},   {"a=ge=1", Comparison::at_least},
      {"a=in=(1,2)", Comparison::in},   {"a=in=1", Comparison::in},
      {"a=out=(1,2)", Comparison::out}, {"a==(1)", Comparison::equal},
  };
  for (const auto& [text, comparison] : cases) {
    const auto criteria = parse_criteria(text);
    ASSERT_TRUE(criteria) << text << ": " << criteria.error().message;
    EXPECT_EQ(only(*criteria).comparison, comparison) << text;
    EXPECT_EQ(only(*criteria).selector, "a") << text;
    EXPECT_EQ(only(*criteria).operands.front().value, Json("1")) << text;
  }
}

TEST(Criteria, BindsAndTighterThanOr) {
  EXPECT_EQ(read("a==1;b==2,c==3;d==4"), "any(all(a==1 b==2) all(c==3 d==4))");
  EXPECT_EQ(read("a==1;(b==2,c==3);d==4"), "all(a==1 any(b==2 c==3) d==4)");
  EXPECT_EQ(read("a==1 and b==2 or c==3"), "any(all(a==1 b==2) c==3)");
  EXPECT_EQ(read("(a==1;b==2);c==3"), "all(all(a==1 b==2) c==3)");
  EXPECT_EQ(read("((a==1))"), "a==1");
}

TEST(Criteria, PassesBlanksBetweenTokens) {
  EXPECT_EQ(read(" a == 1 ;\n( b =in= ( 2 , 3 ) ) "), "all(a==1 b=in=(2,3))");
  EXPECT_EQ(read("a==1 and (b==2)"), "all(a==1 b==2)");
}

TEST(Criteria, TakesAndAndOrForWordsOnlyBetweenBlanks) {
  EXPECT_EQ(read("and==or"), "and==or");
  EXPECT_EQ(read("a==x and and==or or or==and"), "any(all(a==x and==or) or==and)");
  EXPECT_EQ(read("a==x and(b==1)"),
            "Criteria cannot be read at character 6: ';' or ',' is expected");
}

TEST(Criteria, TakesQuotedTextsAsTheyAre) {
  const auto operand = [](std::string_view text) {
    const auto criteria = parse_criteria(text);
    return criteria ? only(*criteria).operands.front() : Operand{};
  };
  EXPECT_EQ(operand("a=='b c'"), (Operand{"b c", true}));
  EXPECT_EQ(operand(R"_(a=="it's (;,)")_"), (Operand{"it's (;,)", true}));
  EXPECT_EQ(operand(R"(a=='it\'s \\ \n')"), (Operand{"it's \\ n", true}));
  EXPECT_EQ(operand("a==''"), (Operand{"", true}));
  EXPECT_EQ(operand("a==null"), (Operand{"null", false}));
  EXPECT_EQ(operand("a=='null'"), (Operand{"null", true}));
  EXPECT_EQ(operand(R"(a==b\c*)"), (Operand{R"(b\c*)", false}));
  EXPECT_EQ(operand("a==2026-02-03T04:05:06.789+01:00"),
            (Operand{"2026-02-03T04:05:06.789+01:00", false}));
}

TEST(Criteria, SaysWhereTheyCannotBeRead) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "character 1: a selector is expected"},
      {"==1", "character 1: a selector is expected"},
      {"a", "character 2: one of == != < <= > >= =in= =out= is expected"},
      {"a=1", "character 2: one of"},
      {"a=like=1", "character 2: one of"},
      {"a=~1", "character 2: one of"},
      {"a==", "character 4: a value is expected"},
      {"a==1;", "character 6: a selector is expected"},
      {"a==1,", "character 6: a selector is expected"},
      {"a==1,;b==2", "character 6: a selector is expected"},
      {"a==1 b==2", "character 6: ';' or ',' is expected"},
      {"(a==1", "character 6: ')' is expected"},
      {"a==1)", "character 5: ';' or ',' is expected"},
      {"()", "character 2: a selector is expected"},
      {"a==(1,2)", "character 6: ')' is expected: '==' takes one value"},
      {"a=in=()", "character 7: a value is expected"},
      {"a=in=(1,)", "character 9: a value is expected"},
      {"a=in=(1", "character 8: ',' or ')' is expected"},
      {"a=='b", "character 4: the text that begins with ' does not end"},
      {R"(a=="b\")", "character 4: the text that begins with \" does not end"},
      {"ä=='b", "character 4:"},
  };
  for (const auto& [text, says] : cases) {
    EXPECT_NE(read(text).find(says), std::string::npos) << text << ": " << read(text);
  }
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Criteria, HaveBounds) {
  const auto group = [](std::size_t depth) {
    return repeated("(", depth) + "a==1" + repeated(")", depth);
  };
  EXPECT_EQ(read(group(limits::criteria_depth_max)), "a==1");
  EXPECT_NE(read(group(limits::criteria_depth_max + 1)).find("deeper"), std::string::npos);
  EXPECT_NE(read(group(30'000)).find("deeper"), std::string::npos);

  const auto chain = [](std::size_t count) { return repeated("a==1;", count - 1) + "a==1"; };
  EXPECT_TRUE(parse_criteria(chain(limits::criteria_conditions_max)));
  EXPECT_NE(read(chain(limits::criteria_conditions_max + 1)).find("conditions"), std::string::npos);

  const auto list = [](std::size_t count) { return "a=in=(" + repeated("1,", count - 1) + "1)"; };
  EXPECT_TRUE(parse_criteria(list(limits::criteria_operands_max)));
  EXPECT_NE(read(list(limits::criteria_operands_max + 1)).find("values"), std::string::npos);

  const auto text = [](std::size_t bytes) { return "a==" + std::string(bytes - 3, 'x'); };
  EXPECT_TRUE(parse_criteria(text(limits::criteria_bytes_max)));
  EXPECT_NE(read(text(limits::criteria_bytes_max + 1)).find("bytes"), std::string::npos);
}

Operand any_operand() {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab1*.:\\'\" ;,()=")));
  const bool quoted = text.empty() || text.find_first_of("'\" ;,()=") != std::string::npos;
  return {Json(text), quoted || *rc::gen::arbitrary<bool>()};
}

Condition any_condition() {
  Condition condition;
  condition.selector = *rc::gen::element<std::string>("a", "and", "a.b", "VERSION", "or");
  condition.comparison = static_cast<Comparison>(*rc::gen::inRange(0, 8));
  condition.operands.push_back(any_operand());
  if (condition.comparison >= Comparison::in && *rc::gen::arbitrary<bool>()) {
    condition.operands.push_back(any_operand());
  }
  return condition;
}

Criteria any_criteria(int depth) {
  const int kind = depth == 0 ? 0 : *rc::gen::inRange(0, 3);
  if (kind == 0) return {any_condition()};
  std::vector<Criteria> parts;
  for (int i = *rc::gen::inRange(2, 4); i > 0; --i) parts.push_back(any_criteria(depth - 1));
  if (kind == 1) return {Criteria::All{std::move(parts)}};
  return {Criteria::Any{std::move(parts)}};
}

TEST(Criteria, AreReadBackAsTheyWerePrinted) {
  EXPECT_TRUE(rc::check("print, then parse", [] {
    const auto criteria = any_criteria(3);
    const auto again = parse_criteria(print(criteria));
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == criteria);
  }));
}

TEST(Criteria, RefuseAnyOtherTextWithAPlace) {
  EXPECT_TRUE(rc::check("parse, whatever it is", [] {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::elementOf(std::string("ab1'\"\\ ;,()=!<>~andorin")));
    const auto criteria = parse_criteria(text);
    if (!criteria) {
      RC_ASSERT(criteria.error().kind == ErrorKind::invalid);
      RC_ASSERT(criteria.error().message.starts_with("Criteria cannot be read at character "));
    } else {
      RC_ASSERT(*parse_criteria(print(*criteria)) == *criteria);
    }
  }));
}

}  // namespace
}  // namespace toa
