#include "async/worker_thread.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace toa {
namespace {

TEST(WorkerThread, RunsWorkInItsOrderOnAThreadOfItsOwn) {
  std::vector<int> order;
  std::thread::id thread;
  {
    WorkerThread worker("toa-test-worker");
    for (int i = 0; i < 100; ++i) worker.post([&order, i] { order.push_back(i); });
    worker.post([&thread] { thread = std::this_thread::get_id(); });
  }
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST(WorkerThread, RunsBeforeItEndsWhatItsLastWorkPosted) {
  int ran = 0;
  {
    WorkerThread worker("w");
    worker.post([&] { worker.post([&] { worker.post([&] { ran = 3; }); }); });
  }
  EXPECT_EQ(ran, 3);
}

struct PostsWhenItEnds {
  WorkerThread* worker;
  int* ran;
  ~PostsWhenItEnds() {
    worker->post([counter = ran] { ++*counter; });
  }
};

TEST(WorkerThread, LetsWhatItsWorkHoldsPostWhenItEnds) {
  int ran = 0;
  {
    WorkerThread worker("w");
    worker.post([held = std::make_unique<PostsWhenItEnds>(&worker, &ran)] {});
  }
  EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace toa
