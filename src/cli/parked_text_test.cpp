#include "cli/parked_text.hpp"

#include <gtest/gtest.h>

namespace toa::cli {
namespace {

JsonObject item() {
  return {{"id", "0198c0de5eb1c0de5eb1c0de5eb1c0de"},
          {"endpoint", "post.boxes.put"},
          {"event", "post.letters.written"},
          {"attempt", 5},
          {"reason", "the lid\nis stuck"},
          {"cause", {{"code", "GLUE"}}},
          {"at", 1'700'000'000'000}};
}

TEST(ParkedText, PutsAMessageOnOneLine) {
  EXPECT_EQ(
      parked_row(item(), 1'700'000'180'000),
      (Table::Row{"3m", "post.boxes.put", "post.letters.written", "5",
                  "0198c0de5eb1c0de5eb1c0de5eb1c0de", "the lid is stuck", "{ code: 'GLUE' }"}));
}

TEST(ParkedText, MarksATaskAsNoEvent) {
  auto task = item();
  task["event"] = nullptr;
  task["cause"] = nullptr;
  const auto row = parked_row(task, 1'700'000'000'000);
  EXPECT_EQ(row[2], "-");
  EXPECT_EQ(row[6], "");
}

TEST(ParkedText, TellsWhyThereIsNoState) {
  auto shown = item();
  shown["exception"] = {{"name", "SystemException"}, {"code", 0}, {"stack", "Error\n  at x"}};
  shown["trail"] = JsonArray{"post.letters.write", "~post.letters.written"};
  shown["payload"] = {{"to", "ann"}};
  shown["request"] = {{"query", {{"id", "ann"}}}};
  shown["state"] = nullptr;
  const auto text = parked_details(shown, 1'700'000'000'000, {});
  EXPECT_TRUE(text.contains("parked     2023-11-14 22:13:20 UTC (0s ago), attempt 5\n")) << text;
  EXPECT_TRUE(text.contains("stack\n  Error\n    at x\n")) << text;
  EXPECT_TRUE(text.contains("trail      post.letters.write → ~post.letters.written\n")) << text;
  EXPECT_TRUE(text.contains("state      none: there is no object 'ann'\n")) << text;

  shown["request"] = nullptr;
  shown["unknown"] = "its receiver is code";
  EXPECT_TRUE(
      parked_details(shown, 0, {}).contains("request    not known: its receiver is code\n"));
}

TEST(Table, WidensAColumnForWhatComesLater) {
  Table table({"A", "B"});
  EXPECT_EQ(table.print({}), "");
  EXPECT_EQ(table.print({{"x", "1"}}), "A  B\nx  1\n");
  EXPECT_EQ(table.print({{"żółć", "2"}, {"y", ""}}), "żółć  2\ny\n");
  EXPECT_EQ(table.print({{"z", "3"}}), "z     3\n");
}

TEST(Table, ObeysNothingThatOthersWrote) {
  EXPECT_EQ(one_line("a\x1b[2Jb\nc", 100), "a [2Jb c");
  EXPECT_EQ(one_line("żółć", 2), "żó…");
  EXPECT_EQ(indented("a\n\x1b"
                     "b",
                     2),
            "  a\n   b");
}

}  // namespace
}  // namespace toa::cli
