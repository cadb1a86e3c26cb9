#include "async/scope.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

#include "async/manual_loop.hpp"

namespace toa {
namespace {

using std::chrono::milliseconds;

Task<void> wait(Loop& loop, int ms, int& ended) {
  co_await pause(loop, milliseconds(ms));
  ++ended;
}

TEST(Scope, StartsWorkAtOnceAndWaitsForAllOfIt) {
  ManualLoop loop;
  Scope scope(loop);
  int ended = 0;
  scope.spawn(wait(loop, 20, ended));
  scope.spawn(wait(loop, 10, ended));
  EXPECT_EQ(scope.running(), 2u);
  loop.run_until(scope.close(), ManualLoop::Idle::jump);
  EXPECT_EQ(ended, 2);
  EXPECT_EQ(scope.running(), 0u);
}

TEST(Scope, ClosesAtOnceWhereNothingRuns) {
  ManualLoop loop;
  Scope scope(loop);
  loop.run_until(scope.close());
}

TEST(Scope, WaitsAlsoForWhatIsSpawnedWhileItCloses) {
  ManualLoop loop;
  Scope scope(loop);
  int ended = 0;
  const auto spawner = [&]() -> Task<void> {
    co_await pause(loop, milliseconds(5));
    scope.spawn(wait(loop, 5, ended));
  };
  scope.spawn(spawner());
  loop.run_until(scope.close(), ManualLoop::Idle::jump);
  EXPECT_EQ(ended, 1);
}

// The last work has ended and `close` has not gone on yet: a message may still come in between.
TEST(Scope, TakesWorkUntilItsCloseReturns) {
  ManualLoop loop;
  Scope scope(loop);
  int ended = 0;
  scope.spawn(wait(loop, 5, ended));
  loop.after(milliseconds(5), [&] {
    loop.resume_soon(std::noop_coroutine());
    loop.post([&] { scope.spawn(wait(loop, 5, ended)); });
  });
  loop.run_until(scope.close(), ManualLoop::Idle::jump);
  EXPECT_EQ(ended, 2);
}

TEST(ScopeDeathTest, EndsTheProcessForWhatLeavesSpawnedWork) {
  ManualLoop loop;
  Scope scope(loop);
  const auto thrower = []() -> Task<void> {
    throw std::runtime_error("unplanned");
    co_return;
  };
  EXPECT_DEATH(scope.spawn(thrower()), "left spawned work: unplanned");
}

TEST(ScopeDeathTest, EndsTheProcessWhereWorkComesAfterItsClose) {
  ManualLoop loop;
  Scope scope(loop);
  int ended = 0;
  loop.run_until(scope.close());
  EXPECT_DEATH(scope.spawn(wait(loop, 1, ended)), "closed scope");
}

}  // namespace
}  // namespace toa
