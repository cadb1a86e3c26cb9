#include "base/fault.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <vector>

namespace toa {
namespace {

using Verdict = Faults::Verdict;

std::vector<bool> failures(Faults& faults, std::string_view place, int times) {
  std::vector<bool> failed;
  for (int i = 0; i < times; ++i) failed.push_back(faults.reach(place) == Verdict::fail);
  return failed;
}

TEST(Faults, DoNothingWhereNoneIsArmed) {
  Faults faults;
  EXPECT_FALSE(faults.armed());
  EXPECT_EQ(faults.reach("commit.before"), Verdict::go_on);
}

TEST(Faults, FailTheOccurrenceThatIsNamedAndNoOther) {
  Faults faults;
  ASSERT_TRUE(faults.arm("commit.after:3=fail"));
  EXPECT_TRUE(faults.armed());
  EXPECT_EQ(failures(faults, "commit.before", 3), (std::vector{false, false, false}));
  EXPECT_EQ(failures(faults, "commit.after", 4), (std::vector{false, false, true, false}));
}

TEST(Faults, ArmSeveralOccurrencesOfOnePlace) {
  Faults faults;
  ASSERT_TRUE(faults.arm("a:1=fail,a:3=fail,b:2=delay:0"));
  EXPECT_EQ(failures(faults, "a", 4), (std::vector{true, false, true, false}));
  EXPECT_EQ(failures(faults, "b", 3), (std::vector{false, false, false}));
}

TEST(Faults, RefuseWhatTheyCannotReadAndNameThePart) {
  for (const auto* text : {"commit", "commit=fail", "commit:1", "commit:x=fail", "commit:=fail",
                           "commit:-1=fail", "commit:0=fail", ":1=fail", "commit:1=explode",
                           "commit:1=delay", "commit:1=delay:", "commit:1=delay:soon"}) {
    Faults faults;
    const auto armed = faults.arm(text);
    ASSERT_FALSE(armed) << text;
    EXPECT_EQ(armed.error().kind, ErrorKind::invalid);
    EXPECT_NE(armed.error().message.find(text), std::string::npos) << armed.error().message;
    EXPECT_FALSE(faults.armed()) << text;
  }
}

TEST(FaultsDeathTest, CrashAsAMachineThatStops) {
  Faults faults;
  ASSERT_TRUE(faults.arm("commit.before:2=crash"));
  EXPECT_EQ(faults.reach("commit.before"), Verdict::go_on);
  EXPECT_EXIT(faults.reach("commit.before"), testing::KilledBySignal(SIGKILL), "");
}

TEST(Faults, AJudgeIsAskedAtEveryPlace) {
  std::string reached;
  Faults faults([&](std::string_view place) {
    reached += place;
    return place == "b" ? Faults::Verdict::fail : Faults::Verdict::go_on;
  });
  EXPECT_EQ(faults.reach("a"), Faults::Verdict::go_on);
  EXPECT_EQ(faults.reach("b"), Faults::Verdict::fail);
  EXPECT_EQ(reached, "ab");
}

}  // namespace
}  // namespace toa
