#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "async/asio_loop.hpp"
#include "async/completion.hpp"
#include "async/worker_thread.hpp"
#include "base/clock.hpp"
#include "base/fault.hpp"
#include "base/random.hpp"
#include "base/result.hpp"
#include "bridge/bridge.hpp"
#include "gateway/calls.hpp"
#include "manifest/application.hpp"
#include "operation/router.hpp"
#include "runtime/control_server.hpp"
#include "runtime/inbox.hpp"
#include "runtime/junction.hpp"
#include "runtime/parked_desk.hpp"
#include "runtime/plugs.hpp"
#include "runtime/run_commands.hpp"
#include "runtime/settings.hpp"
#include "storage/storage.hpp"
#include "telemetry/log.hpp"

namespace toa::runtime {

class BridgeLog;

/// One application, opened in this process: its storage, its code, its operations. Loop thread.
///
/// It goes through `open`, calls, `close`, in this order and once each. The holder of the data
/// folder's lock makes it.
class Process final : public Controlled, public gateway::Calls {
 public:
  Process(Settings settings, const Plugs& plugs, AsioLoop& loop, telemetry::Log& log,
          delivery::Serves serves = delivery::Serves::everything);
  ~Process() override;

  /// Looks at the application as soon as it is read; what it fails with is why the process cannot
  /// open.
  using WhenRead = std::function<Result<void>(const manifest::Application&)>;
  /// Reads, loads and checks everything. Fails with all that an author has to mend.
  Task<Result<void>> open(WhenRead when_read = {});
  /// Returns when nothing that this process caused is ready to run, and says how many messages are
  /// left waiting.
  Task<std::size_t> settle();
  /// From here on messages are left in the queue; calls that are under way may go on.
  void stop_taking();
  /// Lets what runs finish, then closes the code and the storage.
  Task<void> close();

  Task<Reply> call(std::string endpoint, Request request, bridge::Consumer& consumer) override;
  /// Of the gateway, which tells its log of failures itself.
  Task<Reply> call(Call call) override;
  Json status() const override;
  Task<Result<ParkedPage>> parked(ParkedRequest request) override {
    return desk_->answer(std::move(request));
  }
  Task<Result<InboxAnswer>> inbox(Identity identity) override {
    return look_into_inbox(*storage_.remembered, *application_, *storage_.clock, identity);
  }
  /// Completes `stopping`.
  void stop() override { stopping_.complete(true); }
  Completion<bool>& stopping() { return stopping_; }

  const manifest::Application& application() const { return *application_; }
  /// Calls that nothing of this process causes and that are not answered.
  std::size_t in_progress() const { return in_progress_; }

 private:
  Task<Result<void>> open_application();
  void refresh_types() const;
  Task<Result<void>> open_storage();
  Result<void> check_storage() const;
  Task<Result<void>> enter(bridge::Stage stage);
  void make_router();
  void tell_drills() const;
  void tell_many_calls(std::size_t calls) const;
  void tell_clock_jump(std::chrono::milliseconds ahead) const;

  Settings settings_;
  const Plugs& plugs_;
  AsioLoop& loop_;
  telemetry::Log& log_;
  SystemClock clock_;
  SystemRandom random_;
  Faults faults_;
  WorkerThread writer_;
  WorkerThread reader_;
  WorkerThread scans_;
  std::unique_ptr<BridgeLog> bridge_log_;
  RunCommands commands_;
  std::unique_ptr<bridge::Bridge> bridge_;
  PluggedStorage storage_;
  std::unique_ptr<storage::Storage> nowhere_;
  std::optional<manifest::Application> application_;
  delivery::Serves serves_;
  std::optional<Junction> junction_;
  std::optional<operation::Router> router_;
  std::optional<delivery::Delivery> delivery_;
  std::optional<ParkedDesk> desk_;
  Completion<bool> stopping_;
  std::size_t in_progress_ = 0;
};

}  // namespace toa::runtime
