#include "bridge/node/output.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace toa::bridge::node {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> lines_of(std::initializer_list<std::string_view> pieces) {
  std::vector<std::string> lines;
  LineCutter cutter(8, [&lines](std::string_view line) { lines.emplace_back(line); });
  for (const auto piece : pieces) cutter.add(piece);
  cutter.finish();
  return lines;
}

TEST(LineCutter, CutsLinesWhateverPiecesTheyComeIn) {
  EXPECT_EQ(lines_of({"a", "b\n\r\nc", "\n", "d"}), (std::vector<std::string>{"ab", "", "c", "d"}));
}

TEST(LineCutter, SaysHowMuchOfALongLineIsLeftOut) {
  EXPECT_EQ(lines_of({"0123456", "789abc\nx\n"}),
            (std::vector<std::string>{"01234567… (5 bytes left out)", "x"}));
}

TEST(OutputGate, LetsSoManyThroughASecondAndCountsTheRest) {
  ManualClock clock(0);
  OutputGate gate(clock, 2);
  EXPECT_TRUE(gate.admit());
  EXPECT_TRUE(gate.admit());
  EXPECT_FALSE(gate.admit());
  EXPECT_FALSE(gate.admit());
  EXPECT_EQ(gate.take_dropped(), 0u);
  clock.advance(1s);
  EXPECT_EQ(gate.take_dropped(), 2u);
  EXPECT_TRUE(gate.admit());
  EXPECT_EQ(gate.take_all_dropped(), 0u);
}

TEST(LastLines, TellTheErrorRatherThanTheStackBeneathIt) {
  LastLines lines;
  lines.add("/app/x.js:3");
  lines.add("TypeError: no");
  for (int i = 0; i < 30; ++i) lines.add("    at somewhere");
  lines.add("Node.js v20.1.0");
  EXPECT_EQ(lines.telling(), "TypeError: no");
}

TEST(LastLines, TellTheLastLineWhereNoneNamesAnError) {
  LastLines lines;
  EXPECT_EQ(lines.telling(), "");
  lines.add("one");
  lines.add("two");
  lines.add("  ");
  EXPECT_EQ(lines.telling(), "two");
  EXPECT_EQ(lines.all(), "one\ntwo");
}

}  // namespace
}  // namespace toa::bridge::node
