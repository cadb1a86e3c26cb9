#include "async/manual_loop.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

#include "async/completion.hpp"
#include "async/worker_thread.hpp"

namespace toa {
namespace {

using std::chrono::milliseconds;

TEST(ManualLoop, WaitsForPostsOfOtherThreads) {
  ManualLoop loop;
  WorkerThread worker("worker");
  const auto asked = [](ManualLoop& l, WorkerThread& w) -> Task<int> {
    Completion<int> answer(l);
    w.post([&] { l.post([&] { answer.complete(7); }); });
    co_return co_await answer;
  };
  EXPECT_EQ(loop.run_until(asked(loop, worker)), 7);
}

TEST(ManualLoop, JumpsToTimersAndTakesTheClockAlong) {
  ManualClock clock(1'000);
  ManualLoop loop(clock);
  loop.run_until(pause(loop, milliseconds(250)), ManualLoop::Idle::jump);
  EXPECT_EQ(clock.now(), 1'250);
  EXPECT_EQ(clock.steady(), milliseconds(250));
}

TEST(ManualLoop, FiresTimersInTheirOrderWhenTimeMoves) {
  ManualLoop loop;
  std::vector<int> fired;
  loop.after(milliseconds(20), [&] { fired.push_back(2); });
  loop.after(milliseconds(10), [&] { fired.push_back(1); });
  const auto gone = loop.after(milliseconds(15), [&] { fired.push_back(9); });
  loop.cancel(gone);
  loop.advance(milliseconds(15));
  EXPECT_EQ(fired, (std::vector{1}));
  loop.advance(milliseconds(5));
  EXPECT_EQ(fired, (std::vector{1, 2}));
}

TEST(ManualLoop, HandsOnWhatATaskThrew) {
  ManualLoop loop;
  const auto thrower = []() -> Task<void> {
    throw std::runtime_error("no");
    co_return;
  };
  EXPECT_THROW(loop.run_until(thrower()), std::runtime_error);
}

}  // namespace
}  // namespace toa
