#include "async/timer_queue.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace toa {
namespace {

using std::chrono::milliseconds;

std::vector<int> fire(TimerQueue& timers, std::vector<int>& fired, milliseconds now) {
  while (auto callback = timers.take(now)) (*callback)();
  return fired;
}

TEST(TimerQueue, FiresByTimeAndEqualTimesInTheOrderOfTheirMaking) {
  TimerQueue timers;
  std::vector<int> fired;
  timers.add(milliseconds(2), [&] { fired.push_back(3); });
  timers.add(milliseconds(1), [&] { fired.push_back(1); });
  timers.add(milliseconds(1), [&] { fired.push_back(2); });
  EXPECT_EQ(timers.next(), milliseconds(1));
  EXPECT_EQ(fire(timers, fired, milliseconds(1)), (std::vector{1, 2}));
  EXPECT_EQ(timers.next(), milliseconds(2));
  EXPECT_EQ(fire(timers, fired, milliseconds(9)), (std::vector{1, 2, 3}));
  EXPECT_FALSE(timers.next());
}

TEST(TimerQueue, ForgetsWhatIsCancelled) {
  TimerQueue timers;
  std::vector<int> fired;
  const auto gone = timers.add(milliseconds(1), [&] { fired.push_back(1); });
  timers.add(milliseconds(1), [&] { fired.push_back(2); });
  timers.cancel(gone);
  timers.cancel(gone);
  timers.cancel(99);
  EXPECT_EQ(fire(timers, fired, milliseconds(1)), (std::vector{2}));
}

TEST(TimerQueue, LetsACallbackAddAndCancel) {
  TimerQueue timers;
  std::vector<int> fired;
  Loop::TimerId later = 0;
  timers.add(milliseconds(1), [&] {
    fired.push_back(1);
    timers.cancel(later);
    timers.add(milliseconds(1), [&] { fired.push_back(3); });
  });
  later = timers.add(milliseconds(1), [&] { fired.push_back(2); });
  EXPECT_EQ(fire(timers, fired, milliseconds(1)), (std::vector{1, 3}));
}

}  // namespace
}  // namespace toa
