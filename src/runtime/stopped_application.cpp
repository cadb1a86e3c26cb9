#include "runtime/stopped_application.hpp"

#include <utility>

#include "async/scope.hpp"
#include "base/limits.hpp"
#include "runtime/application_loader.hpp"
#include "runtime/node_site.hpp"
#include "runtime/storage_needs.hpp"

namespace toa::runtime {

using storage::sqlite::DataFolder;

StoppedApplication::StoppedApplication(Settings settings, DataFolder folder)
    : folder_(std::move(folder)),
      settings_(std::move(settings)),
      clock_(settings_.time_shift),
      writer_("toa-writer"),
      reader_("toa-reader") {
  settings_.workers = 1;
  auto draft = manifest::read(settings_.context_file, settings_.environment, settings_.variables);
  if (!draft.problems.empty()) known_ = Known::in_part;
  read_ = std::move(draft.application);
}

Result<std::unique_ptr<StoppedApplication>> StoppedApplication::open(Settings settings,
                                                                     const Plugs& plugs,
                                                                     DataFolder folder) {
  std::unique_ptr<StoppedApplication> stopped(
      new StoppedApplication(std::move(settings), std::move(folder)));
  if (auto opened = stopped->open_storage(plugs); !opened) return std::unexpected(opened.error());
  return stopped;
}

/// Runs a task of this object's to its end.
template <class Work>
void StoppedApplication::run(Work work) {
  // It was stopped at the end of the task before.
  loop_.context().restart();
  Scope scope(loop_);
  const auto whole = [this, &work]() -> Task<void> {
    co_await work();
    loop_.stop();
  };
  scope.spawn(whole());
  loop_.run();
}

Result<void> StoppedApplication::open_storage(const Plugs& plugs) {
  if (auto armed = faults_.arm(settings_.fault); !armed) return armed;
  const auto window =
      known_ == Known::wholly ? longest_window_s(read_) : limits::inbox_window_max_s;
  auto opened = plugs.open_storage({.folder = settings_.data,
                                    .loop = loop_,
                                    .writer = writer_,
                                    .reader = reader_,
                                    .scans = reader_,
                                    .clock = clock_,
                                    .faults = faults_,
                                    .outbox_retention_s = read_.context.outbox_retention_s,
                                    .inbox_window_max_s = window,
                                    .removes_expired = false});
  if (!opened) return std::unexpected(opened.error());
  storage_ = std::move(*opened);
  Result<void> prepared;
  run([&]() -> Task<void> {
    prepared = co_await storage_.storage->prepare(kept_as_they_are(read_));
  });
  set_up({read_, known_}, nullptr);
  return prepared;
}

void StoppedApplication::set_up(ParkedNames names, delivery::Application* code) {
  desk_.emplace(ParkedDesk::World{.storage = *storage_.storage,
                                  .queue = *storage_.queue,
                                  .loop = loop_,
                                  .clock = *storage_.clock,
                                  .names = names,
                                  .code = code,
                                  // The next start finds them in the queue.
                                  .returned = [](const ComponentId&) {}});
}

Result<ParkedPage> StoppedApplication::parked(ParkedRequest request) {
  Result<ParkedPage> page = fail(ErrorKind::broken, "the parked messages were not asked for");
  run([&]() -> Task<void> { page = co_await answer(std::move(request)); });
  return page;
}

Result<InboxAnswer> StoppedApplication::inbox(Identity identity) {
  Result<InboxAnswer> answer = fail(ErrorKind::broken, "the inbox was not asked");
  run([&]() -> Task<void> {
    answer = co_await look_into_inbox(*storage_.remembered, read_, *storage_.clock, identity);
  });
  return answer;
}

Task<Result<ParkedPage>> StoppedApplication::answer(ParkedRequest request) {
  const bool runs_code =
      request.action == ParkedAction::show || request.action == ParkedAction::plan;
  if (runs_code && bridge_ == nullptr) co_await load_code();
  co_return co_await desk_->answer(std::move(request));
}

Task<void> StoppedApplication::load_code() {
  auto bridge = make_node_bridge(settings_, loop_, clock_, deaf_);
  if (!bridge) co_return;
  bridge_ = std::move(*bridge);
  auto application = co_await load_application(settings_, *bridge_);
  if (!application) co_return;
  loaded_ = std::move(*application);
  junction_.emplace(*bridge_);
  set_up({*loaded_, Known::wholly}, &*junction_);
}

Task<void> StoppedApplication::close() {
  if (bridge_) co_await bridge_->close();
  if (storage_.storage) co_await storage_.storage->close();
}

StoppedApplication::~StoppedApplication() {
  run([this] { return close(); });
}

}  // namespace toa::runtime
