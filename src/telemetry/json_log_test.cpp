#include "telemetry/json_log.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace toa::telemetry {
namespace {

class JsonLogTest : public testing::Test {
 protected:
  JsonLogTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "toa-log-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~JsonLogTest() override { std::filesystem::remove_all(folder_); }

  std::string file() const { return (folder_ / "log").string(); }

  std::vector<std::string> lines() const {
    std::ifstream in(file());
    std::vector<std::string> read;
    for (std::string line; std::getline(in, line);) read.push_back(line);
    return read;
  }

  std::filesystem::path folder_;
  ManualClock clock_{1'770'091'506'789};
};

TEST_F(JsonLogTest, WritesARecordAsOneLineOfJson) {
  {
    auto log = JsonLog::open({.file = file(), .least = Severity::info}, clock_);
    ASSERT_TRUE(log) << log.error().message;
    (*log)->warn("two\nlines {} %v", {{"count", 1}, {"nested", JsonObject{{"a", "\""}}}});
  }
  ASSERT_EQ(lines().size(), 1u);
  EXPECT_EQ(lines()[0],
            R"({"time":"2026-02-03T04:05:06.789Z","severity":"warn","message":"two\nlines {} %v",)"
            R"("count":1,"nested":{"a":"\""}})");
}

TEST_F(JsonLogTest, LeavesOutWhatIsLessSevereThanAskedFor) {
  {
    auto log = JsonLog::open({.file = file(), .least = Severity::warn}, clock_);
    ASSERT_TRUE(log);
    (*log)->debug("1");
    (*log)->info("2");
    (*log)->warn("3");
    (*log)->error("4");
  }
  EXPECT_EQ(lines().size(), 2u);
}

TEST_F(JsonLogTest, CutsAMessageThatIsTooLong) {
  {
    auto log = JsonLog::open({.file = file(), .least = Severity::info}, clock_);
    ASSERT_TRUE(log);
    (*log)->info(std::string(1u << 20, 'x'));
  }
  ASSERT_EQ(lines().size(), 1u);
  EXPECT_LT(lines()[0].size(), 80'000u);
}

TEST_F(JsonLogTest, SaysThatItCannotBeOpened) {
  std::ofstream(file()) << "";
  const auto log = JsonLog::open({.file = file() + "/log", .least = Severity::info}, clock_);
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().kind, ErrorKind::unavailable);
}

TEST(Severity, HasAWordThatIsReadBack) {
  for (const auto severity : {Severity::debug, Severity::info, Severity::warn, Severity::error}) {
    EXPECT_EQ(severity_of(name(severity)), severity);
  }
  EXPECT_FALSE(severity_of("loud"));
}

}  // namespace
}  // namespace toa::telemetry
