#include "bridge/test/test_bridge.hpp"

#include "base/assert.hpp"

namespace toa::bridge {

Task<Result<Loaded>> TestBridge::load(Application application) {
  Loaded out;
  for (const auto& component : application.components) {
    for (const auto& source : component.operations) {
      const auto code = codes_.find(source.number);
      if (code == codes_.end()) {
        out.faults.push_back({source.number, "there is no code for it", source.file, 0});
      } else {
        out.found.push_back({source.number, code->second.type, code->second.scope});
      }
    }
  }
  co_return out;
}

Task<Ran> TestBridge::run(Run run, Host& host) {
  const auto code = codes_.find(run.operation);
  require(code != codes_.end(), "an operation was run that has no code");
  ++running_;
  for (;;) {
    // Never within the caller, as with a worker.
    co_await pause(loop_, std::chrono::milliseconds(0));
    auto ran = co_await code->second.operation(run, host);
    if (loses_ && loses_(run)) {
      host.restarted();
      continue;
    }
    if (--running_ == 0 && closing_) left_.complete(true);
    co_return ran;
  }
}

Task<void> TestBridge::close() {
  closing_ = true;
  if (running_ > 0) co_await left_;
}

}  // namespace toa::bridge
