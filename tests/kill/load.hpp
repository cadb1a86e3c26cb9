#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "kill/ledger.hpp"

namespace toa::kill {

/// Clients that call, and call again, as fast as they are answered, until the process that serves
/// them is gone.
class Load {
 public:
  Load(std::string path, Ledger& ledger, std::uint64_t seed);
  /// The process must be gone by then.
  ~Load();
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  /// Waits for so many answers in all; false where the process was gone before.
  bool wait_for(std::size_t answers);
  /// A client waited in vain.
  bool silent() const { return silent_; }

 private:
  void run(std::uint64_t seed);
  std::vector<Ledger::Sent> burst(Random& random);

  std::string path_;
  Ledger& ledger_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t answers_ = 0;
  std::size_t running_;
  std::atomic<bool> silent_ = false;
  std::vector<std::thread> clients_;
};

}  // namespace toa::kill
