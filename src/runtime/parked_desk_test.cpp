#include "runtime/parked_desk.hpp"

#include <gtest/gtest.h>

#include "async/manual_loop.hpp"
#include "async/scope.hpp"
#include "base/limits.hpp"
#include "storage/memory/memory_storage.hpp"

namespace toa::runtime {
namespace {

class ParkedDeskTest : public ::testing::Test {
 protected:
  ParkedDeskTest() {
    manifest::Component wallets;
    wallets.id = ComponentId("shop.wallets");
    auto& credit = wallets.operations["credit"];
    credit.endpoint = {wallets.id, "credit"};
    credit.once_window_s = 3'600;
    application_.components.emplace(wallets.id, wallets);
  }

  void park(std::int64_t number, const std::string& component = "shop.wallets") {
    Identity::Bytes bytes{};
    bytes[0] = static_cast<std::uint8_t>(number);
    const MessageNumber key(number);
    storage::Unit unit;
    unit.messages.push_back({.number = key,
                             .id = Identity(bytes),
                             .kind = MessageKind::task,
                             .component = ComponentId(component),
                             .name = component + ".credit",
                             .body = R"({"input":{"cents":5}})"});
    unit.fates.emplace_back(Park{key, clock_.now(), 5, {.reason = "no"}});
    loop_.run_until(storage_.commit(std::move(unit))).value();
  }

  ParkedPage ask(ParkedAction action, std::int64_t after = 0) {
    return loop_.run_until(desk_.answer({action, {}, MessageNumber(after)})).value();
  }

  Task<void> keep(ParkedAction action, std::size_t& count) {
    const auto page = co_await desk_.answer({action, {}, {}});
    count = page->items.size();
  }

  ManualClock clock_{1'700'000'000'000};
  ManualLoop loop_;
  storage::MemoryStorage storage_{loop_, clock_};
  manifest::Application application_;
  std::vector<ComponentId> told_;
  ParkedDesk desk_{{.storage = storage_,
                    .queue = storage_.queue(),
                    .loop = loop_,
                    .clock = clock_,
                    .names = {application_, Known::wholly},
                    .code = nullptr,
                    .returned = [this](const ComponentId& id) { told_.push_back(id); }}};
};

TEST_F(ParkedDeskTest, AnswersInPagesUntilThereIsNone) {
  const auto all = static_cast<std::int64_t>(limits::parked_page_max) + 3;
  for (std::int64_t n = 1; n <= all; ++n) park(n);
  const auto first = ask(ParkedAction::list);
  EXPECT_EQ(first.items.size(), limits::parked_page_max);
  const auto second = ask(ParkedAction::list, first.next->value);
  EXPECT_EQ(second.items.size(), 3u);
  EXPECT_FALSE(ask(ParkedAction::list, second.next->value).next);
}

// R36
TEST_F(ParkedDeskTest, PutsBackOnceForTwoWhoAskAtOnce) {
  park(1);
  std::size_t one = 9;
  std::size_t other = 9;
  std::size_t third = 9;
  Scope scope(loop_);
  scope.spawn(keep(ParkedAction::put_back, one));
  scope.spawn(keep(ParkedAction::put_back, other));
  scope.spawn(keep(ParkedAction::discard, third));
  loop_.run_until(scope.close());
  EXPECT_EQ(one + other + third, 1u);
  EXPECT_EQ(told_, std::vector{ComponentId("shop.wallets")});
  EXPECT_EQ(loop_.run_until(storage_.queue().waiting()).value(), 1u);
}

TEST_F(ParkedDeskTest, LeavesParkedWhatHasNoComponent) {
  park(1, "shop.gone");
  EXPECT_TRUE(ask(ParkedAction::put_back).items.at(0).as_object().contains("stays"));
  EXPECT_EQ(ask(ParkedAction::plan).items.at(0).at("would"), "stay");
  EXPECT_TRUE(told_.empty());
  EXPECT_EQ(ask(ParkedAction::discard).items.size(), 1u);
  EXPECT_TRUE(ask(ParkedAction::list).items.empty());
}

TEST_F(ParkedDeskTest, FindsInAdvanceWhatWouldBeRecognised) {
  park(1);
  EXPECT_EQ(ask(ParkedAction::plan).items.at(0).at("would"), "run");
  Identity::Bytes bytes{};
  bytes[0] = 1;
  storage::Unit unit;
  unit.remembered =
      storage::Remembered{"shop.wallets.credit", Identity(bytes), std::chrono::hours(1), "1"};
  loop_.run_until(storage_.commit(std::move(unit))).value();
  EXPECT_EQ(ask(ParkedAction::plan).items.at(0).at("would"), "repeat");
  EXPECT_EQ(ask(ParkedAction::list).items.size(), 1u);
}

TEST_F(ParkedDeskTest, ShowsTheRequestAsItWouldBeMade) {
  park(1);
  park(2);
  const auto page = ask(ParkedAction::show);
  ASSERT_EQ(page.items.size(), 1u);
  EXPECT_EQ(json::print(page.items.at(0).at("request")),
            R"({"id":"01000000000000000000000000000000","input":{"cents":5}})");
  EXPECT_TRUE(page.items.at(0).at("state").is_null());
  EXPECT_EQ(page.next, MessageNumber(1));
}

}  // namespace
}  // namespace toa::runtime
