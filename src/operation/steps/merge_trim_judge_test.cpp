#include <gtest/gtest.h>

#include "operation/steps/judge.hpp"
#include "operation/steps/merge.hpp"
#include "operation/steps/trim.hpp"

namespace toa::operation {
namespace {

std::string merged(std::string_view state, std::string_view input) {
  return json::print(merge(json::parse(state)->as_object(), json::parse(input)->as_object()));
}

TEST(Merge, PutsTheInputOverTheStateOneLevelDeep) {
  EXPECT_EQ(merged(R"({"a":1,"b":{"c":1,"d":2}})", R"({"b":{"c":3},"e":4})"),
            R"({"a":1,"b":{"c":3},"e":4})");
  EXPECT_EQ(merged(R"({"a":1})", "{}"), R"({"a":1})");
}

TEST(Merge, StoresNullAsNull) {
  EXPECT_EQ(merged(R"({"a":1})", R"({"a":null})"), R"({"a":null})");
}

std::string trimmed(std::string text, const std::vector<std::string>& names) {
  return trim(Output{Document::of_text(std::move(text))}, names).value->text();
}

TEST(Trim, KeepsWhatIsNamedOfAnObjectAndOfEachElementOfAList) {
  EXPECT_EQ(trimmed(R"({"a":1,"b":2,"c":3})", {"c", "a", "x", "a"}), R"({"c":3,"a":1})");
  EXPECT_EQ(trimmed(R"([{"a":1,"b":2},5,{"b":1}])", {"a"}), R"([{"a":1},5,{}])");
  EXPECT_EQ(trimmed(R"({"a":1})", {}), "{}");
}

TEST(Trim, LeavesWhatHasNoProperties) {
  EXPECT_EQ(trimmed("7", {"a"}), "7");
  EXPECT_EQ(trimmed("null", {"a"}), "null");
  EXPECT_FALSE(trim(Output{}, {"a"}).value);
}

manifest::Operation declared() {
  manifest::Operation operation;
  operation.label = "shop.wallets.debit";
  operation.errors = {"INSUFFICIENT"};
  operation.output = *manifest::Contract::compile(*json::parse(R"({"type":"integer"})"));
  return operation;
}

// R30
TEST(Judge, TakesDeclaredRefusalsOnly) {
  EXPECT_FALSE(judge(declared(), Refusal{"INSUFFICIENT", {}}, JudgeReplies::yes));
  const auto undeclared = judge(declared(), Refusal{"OTHER", {}}, JudgeReplies::yes);
  ASSERT_TRUE(undeclared);
  EXPECT_EQ(undeclared->code, Code::response_contract);
  EXPECT_NE(undeclared->message.find("'OTHER'"), std::string::npos);
  EXPECT_FALSE(judge(declared(), Refusal{"OTHER", {}}, JudgeReplies::no));
}

// spec core 4.4
TEST(Judge, HoldsOutputAgainstItsSchema) {
  const Output fits{Document::of_text("5")};
  const Output misfits{Document::of_text("\"5\"")};
  EXPECT_FALSE(judge(declared(), fits, JudgeReplies::yes));
  ASSERT_TRUE(judge(declared(), misfits, JudgeReplies::yes));
  EXPECT_EQ(judge(declared(), misfits, JudgeReplies::yes)->code, Code::response_contract);
  EXPECT_TRUE(judge(declared(), Output{}, JudgeReplies::yes));
  EXPECT_FALSE(judge(declared(), misfits, JudgeReplies::no));
  auto open = declared();
  open.output.reset();
  EXPECT_FALSE(judge(open, misfits, JudgeReplies::yes));
}

}  // namespace
}  // namespace toa::operation
