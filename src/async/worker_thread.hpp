#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "async/loop.hpp"

namespace toa {

/// A thread with a name that runs posted work in order. The destructor runs what is queued, then
/// joins.
class WorkerThread final : public Executor {
 public:
  explicit WorkerThread(std::string name);
  ~WorkerThread() override;

  void post(Callback work) override;

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Callback> queue_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace toa
