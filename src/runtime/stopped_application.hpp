#pragma once

#include <memory>
#include <optional>

#include "async/asio_loop.hpp"
#include "async/worker_thread.hpp"
#include "base/clock.hpp"
#include "base/fault.hpp"
#include "bridge/bridge.hpp"
#include "manifest/application.hpp"
#include "runtime/deaf.hpp"
#include "runtime/inbox.hpp"
#include "runtime/junction.hpp"
#include "runtime/parked.hpp"
#include "runtime/parked_desk.hpp"
#include "runtime/plugs.hpp"
#include "runtime/settings.hpp"
#include "storage/sqlite/data_folder.hpp"

namespace toa::runtime {

/// What an application that does not run keeps: its storage is opened, nothing is delivered. Blocks
/// the calling thread.
///
/// Its code is loaded only where it is asked what a message would do, and what cannot be loaded is
/// done without. Manifests are read; where they have faults, calls are taken to be remembered for
/// as long as any can be, so that nothing is forgotten that the mended application still
/// recognises.
class StoppedApplication {
 public:
  static Result<std::unique_ptr<StoppedApplication>> open(Settings settings, const Plugs& plugs,
                                                          storage::sqlite::DataFolder folder);
  ~StoppedApplication();

  Result<ParkedPage> parked(ParkedRequest request);
  Result<InboxAnswer> inbox(Identity identity);

 private:
  StoppedApplication(Settings settings, storage::sqlite::DataFolder folder);

  template <class Work>
  void run(Work work);
  Result<void> open_storage(const Plugs& plugs);
  Task<Result<ParkedPage>> answer(ParkedRequest request);
  Task<void> load_code();
  Task<void> close();
  void set_up(ParkedNames names, delivery::Application* code);

  storage::sqlite::DataFolder folder_;
  Settings settings_;
  AsioLoop loop_;
  SystemClock clock_;
  Faults faults_;
  Deaf deaf_;
  WorkerThread writer_;
  WorkerThread reader_;
  manifest::Application read_;
  Known known_ = Known::wholly;
  PluggedStorage storage_;
  std::unique_ptr<bridge::Bridge> bridge_;
  std::optional<manifest::Application> loaded_;
  std::optional<Junction> junction_;
  std::optional<ParkedDesk> desk_;
};

}  // namespace toa::runtime
