#include "async/worker_thread.hpp"

#include <pthread.h>

namespace toa {

WorkerThread::WorkerThread(std::string name) : thread_([this] { run(); }) {
  // The kernel takes 15 characters.
  pthread_setname_np(thread_.native_handle(), name.substr(0, 15).c_str());
}

WorkerThread::~WorkerThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void WorkerThread::post(Callback work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  wake_.notify_one();
}

void WorkerThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return !queue_.empty() || ending_; });
    if (queue_.empty()) return;
    auto work = std::exchange(queue_, {});
    lock.unlock();
    for (auto& callback : work) callback();
    // What they hold ends outside of the lock: its destructors may post.
    work.clear();
    lock.lock();
  }
}

}  // namespace toa
