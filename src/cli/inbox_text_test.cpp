#include "cli/inbox_text.hpp"

#include <gtest/gtest.h>

namespace toa::cli {
namespace {

constexpr EpochMs hour = 3'600'000;

JsonObject call() {
  return {{"id", "0198c0de5eb1c0de5eb1c0de5eb1c0de"},
          {"endpoint", "bank.accounts.credit"},
          {"recorded", 0},
          {"expires", 24 * hour},
          {"kept", false},
          {"reply", {{"balance", 50}}}};
}

TEST(InboxText, TellsWhatARepeatWouldGet) {
  EXPECT_EQ(remembered_details(call(), hour, {}),
            "id         0198c0de5eb1c0de5eb1c0de5eb1c0de\n"
            "endpoint   bank.accounts.credit\n"
            "recorded   1970-01-01 00:00:00 UTC (1h ago)\n"
            "expires    1970-01-02 00:00:00 UTC (in 23h)\n"
            "reply      { balance: 50 }\n");
}

// R309
TEST(InboxText, TellsNothingFromNull) {
  auto item = call();
  item["reply"] = nullptr;
  EXPECT_TRUE(remembered_details(item, hour, {}).ends_with("reply      null\n"));
  item.erase("reply");
  EXPECT_TRUE(remembered_details(item, hour, {}).ends_with("reply      nothing\n"));
}

TEST(InboxText, TellsThatAMessageKeepsIt) {
  auto item = call();
  item["recorded"] = nullptr;
  item["kept"] = true;
  const auto text = remembered_details(item, 25 * hour, {});
  EXPECT_TRUE(text.contains("recorded   not known")) << text;
  EXPECT_TRUE(text.contains("00:00:00 UTC, and not while a message of its chain waits")) << text;
}

}  // namespace
}  // namespace toa::cli
