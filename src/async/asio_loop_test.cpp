#include "async/asio_loop.hpp"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "async/completion.hpp"
#include "async/scope.hpp"

namespace toa {
namespace {

using std::chrono::milliseconds;

TEST(AsioLoop, RunsPostsOfManyThreadsOnItsOwn) {
  AsioLoop loop;
  const auto own = std::this_thread::get_id();
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        loop.post([&] {
          EXPECT_EQ(std::this_thread::get_id(), own);
          if (++count == 2'000) loop.stop();
        });
      }
    });
  }
  loop.run();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(count, 2'000);
}

TEST(AsioLoop, FiresTimersInTheirOrderWhateverTheOrderOfTheirMaking) {
  AsioLoop loop;
  std::vector<int> fired;
  loop.after(milliseconds(3), [&] {
    fired.push_back(3);
    loop.stop();
  });
  loop.after(milliseconds(1), [&] { fired.push_back(1); });
  loop.after(milliseconds(2), [&] { fired.push_back(2); });
  loop.cancel(loop.after(milliseconds(1), [&] { fired.push_back(9); }));
  loop.run();
  EXPECT_EQ(fired, (std::vector{1, 2, 3}));
}

TEST(AsioLoop, FiresWhatIsLeftWhenTheNextTimerIsCancelled) {
  AsioLoop loop;
  bool fired = false;
  const auto first = loop.after(milliseconds(1), [] { ADD_FAILURE(); });
  loop.after(milliseconds(2), [&] {
    fired = true;
    loop.stop();
  });
  loop.cancel(first);
  loop.run();
  EXPECT_TRUE(fired);
}

TEST(AsioLoop, ArmsATimerThatATimerMakes) {
  AsioLoop loop;
  int rounds = 0;
  std::function<void()> again = [&] {
    if (++rounds == 5) return loop.stop();
    loop.after(milliseconds(1), [&] { again(); });
  };
  loop.after(milliseconds(0), [&] { again(); });
  loop.run();
  EXPECT_EQ(rounds, 5);
}

TEST(AsioLoop, ResumesCoroutinesInTheOrderInWhichTheyBecameReady) {
  AsioLoop loop;
  Scope scope(loop);
  std::vector<int> order;
  Completion<int> first(loop);
  Completion<int> second(loop);
  const auto wait = [&](Completion<int>& value) -> Task<void> {
    order.push_back(co_await value);
    if (order.size() == 2) loop.stop();
  };
  scope.spawn(wait(first));
  scope.spawn(wait(second));
  second.complete(2);
  first.complete(1);
  EXPECT_TRUE(order.empty());
  loop.run();
  EXPECT_EQ(order, (std::vector{2, 1}));
}

}  // namespace
}  // namespace toa
