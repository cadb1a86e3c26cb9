#include "async/completion.hpp"

#include <gtest/gtest.h>
#include <memory>

#include "async/manual_loop.hpp"
#include "async/scope.hpp"

namespace toa {
namespace {

using std::chrono::milliseconds;

TEST(Completion, TheFirstValueWins) {
  ManualLoop loop;
  Completion<int> value(loop);
  EXPECT_FALSE(value.completed());
  EXPECT_TRUE(value.complete(1));
  EXPECT_FALSE(value.complete(2));
  const auto work = [&]() -> Task<int> { co_return co_await value; };
  EXPECT_EQ(loop.run_until(work()), 1);
}

TEST(Completion, ResumesItsWaiterLaterNotFromWithinTheCompleter) {
  ManualLoop loop;
  Scope scope(loop);
  Completion<std::unique_ptr<int>> value(loop);
  int got = 0;
  const auto work = [&]() -> Task<void> { got = *co_await value; };
  scope.spawn(work());
  EXPECT_TRUE(value.complete(std::make_unique<int>(9)));
  EXPECT_EQ(got, 0);
  loop.run_until_idle();
  EXPECT_EQ(got, 9);
  loop.run_until(scope.close());
}

TEST(Pause, LastsAsLongAsItIsTold) {
  ManualLoop loop;
  Scope scope(loop);
  bool over = false;
  const auto work = [&]() -> Task<void> {
    co_await pause(loop, milliseconds(10));
    over = true;
  };
  scope.spawn(work());
  loop.advance(milliseconds(9));
  EXPECT_FALSE(over);
  loop.advance(milliseconds(1));
  EXPECT_TRUE(over);
  loop.run_until(scope.close());
}

}  // namespace
}  // namespace toa
