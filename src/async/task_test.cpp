#include "async/task.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>

#include "async/manual_loop.hpp"

namespace toa {
namespace {

Task<int> seven() {
  co_return 7;
}

Task<std::unique_ptr<int>> owned(std::unique_ptr<int> value) {
  co_return value;
}

Task<int> thrower() {
  throw std::runtime_error("no");
  co_return 0;
}

Task<int> down(int depth) {
  if (depth == 0) co_return 0;
  co_return 1 + co_await down(depth - 1);
}

TEST(Task, StartsOnlyWhenAwaited) {
  ManualLoop loop;
  bool started = false;
  const auto work = [&started]() -> Task<void> {
    started = true;
    co_return;
  };
  auto task = work();
  EXPECT_FALSE(started);
  loop.run_until(std::move(task));
  EXPECT_TRUE(started);
}

TEST(Task, YieldsValuesThatOnlyMove) {
  ManualLoop loop;
  const auto value = loop.run_until(owned(std::make_unique<int>(5)));
  EXPECT_EQ(*value, 5);
}

TEST(Task, MovesBeforeItStarts) {
  ManualLoop loop;
  auto first = seven();
  auto second = std::move(first);
  first = down(3);
  EXPECT_EQ(loop.run_until(std::move(second)), 7);
  EXPECT_EQ(loop.run_until(std::move(first)), 3);
}

TEST(Task, HandsWhatIsThrownToItsAwaiter) {
  ManualLoop loop;
  const auto catcher = []() -> Task<std::string> {
    try {
      co_await thrower();
    } catch (const std::runtime_error& e) {
      co_return e.what();
    }
    co_return "nothing";
  };
  EXPECT_EQ(loop.run_until(catcher()), "no");
}

TEST(Task, FreesItsArgumentsWhereItIsNeverAwaited) {
  auto watched = std::make_shared<int>(1);
  const auto work = [](std::shared_ptr<int>) -> Task<void> { co_return; };
  {
    const auto task = work(watched);
  }
  EXPECT_EQ(watched.use_count(), 1);
}

// Each resumes its awaiter directly, without a deeper stack than the calls themselves have.
TEST(Task, ManyInARowNeedNoMoreStackThanOne) {
  ManualLoop loop;
  const auto work = []() -> Task<int> {
    int sum = 0;
    for (int i = 0; i < 100'000; ++i) sum += co_await seven();
    co_return sum;
  };
  EXPECT_EQ(loop.run_until(work()), 700'000);
}

}  // namespace
}  // namespace toa
