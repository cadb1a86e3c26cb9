#include "runtime/process.hpp"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

#include "bridge/node/node_bridge.hpp"
#include "runtime/application_loader.hpp"
#include "runtime/bridge_log.hpp"
#include "runtime/node_site.hpp"
#include "runtime/storage_needs.hpp"
#include "runtime/write_types.hpp"
#include "storage/memory/null_storage.hpp"

namespace toa::runtime {
namespace {

/// Failures that the caller's own request causes, or that come by the thousand and say so by
/// themselves; they are his to know, not an operator's.
bool is_callers(Code code) {
  switch (code) {
    case Code::request_contract:
    case Code::query_syntax:
    case Code::state_not_found:
    case Code::state_precondition:
    case Code::state_concurrency:
    case Code::endpoint:
    case Code::transmission:
      return true;
    default:
      return false;
  }
}

}  // namespace

Process::Process(Settings settings, const Plugs& plugs, AsioLoop& loop, telemetry::Log& log,
                 delivery::Serves serves)
    : settings_(std::move(settings)),
      plugs_(plugs),
      loop_(loop),
      log_(log),
      clock_(settings_.time_shift),
      writer_("toa-writer"),
      reader_("toa-reader"),
      scans_("toa-scans"),
      bridge_log_(std::make_unique<BridgeLog>(log)),
      nowhere_(std::make_unique<storage::NullStorage>()),
      serves_(serves),
      stopping_(loop) {}

Process::~Process() = default;

Task<Result<void>> Process::open(WhenRead when_read) {
  log_.info("Runtime " TOA_VERSION);
  if (auto armed = faults_.arm(settings_.fault); !armed) co_return armed;
  tell_drills();
  log_.info("Starting composition",
            {{"context", settings_.context_file}, {"environment", settings_.environment}});

  auto opened = co_await open_application();
  if (!opened) co_return opened;
  if (when_read) opened = when_read(*application_);
  if (!opened) co_return opened;
  opened = co_await open_storage();
  if (!opened) co_return opened;
  for (const auto& warning : application_->warnings) log_.warn(warning);
  opened = co_await enter(bridge::Stage::preflight);
  if (!opened) co_return opened;

  make_router();
  commands_.serve(*router_);
  opened = co_await delivery_->start();
  for (const auto stage : {bridge::Stage::settle, bridge::Stage::ready}) {
    if (opened) opened = co_await enter(stage);
  }
  if (!opened) co_return opened;
  log_.info("Composition complete", {{"components", application_->authored()},
                                     {"storage", storage_.storage->capabilities().name},
                                     {"data", settings_.data}});
  co_return Result<void>{};
}

Task<Result<void>> Process::enter(bridge::Stage stage) {
  auto entered = co_await bridge_->enter(stage, commands_);
  if (entered) co_return Result<void>{};
  co_return fail(entered.error().kind, "the application cannot start: a run command failed\n" +
                                           entered.error().message + "\n");
}

void Process::make_router() {
  const bool local = settings_.environment == "local";
  junction_.emplace(*bridge_);
  router_.emplace(operation::World{
      .application = *application_,
      .storage = *storage_.storage,
      .nowhere = *nowhere_,
      .bridge = *bridge_,
      .outgoing = *junction_,
      .loop = loop_,
      .clock = clock_,
      .random = random_,
      .chain = settings_.chain,
      .judge_replies = local ? operation::JudgeReplies::yes : operation::JudgeReplies::no});
  delivery_.emplace(delivery::World{.application = *application_,
                                    .code = *junction_,
                                    .storage = *storage_.storage,
                                    .queue = *storage_.queue,
                                    .loop = loop_,
                                    .clock = *storage_.clock,
                                    .faults = faults_,
                                    .log = log_,
                                    .ladder = settings_.ladder,
                                    .serves = serves_});
  junction_->join(*router_, *delivery_);
  desk_.emplace(ParkedDesk::World{
      .storage = *storage_.storage,
      .queue = *storage_.queue,
      .loop = loop_,
      .clock = *storage_.clock,
      .names = {*application_, Known::wholly},
      .code = &*junction_,
      .returned = [this](const ComponentId& component) { delivery_->returned(component); }});
}

Task<std::size_t> Process::settle() {
  co_await delivery_->settle();
  const auto backlog = co_await storage_.queue->backlog();
  if (!backlog) co_return 0;
  // A record is a message to be, of as many components as receive it.
  auto left = backlog->records;
  for (const auto& [component, messages] : backlog->messages) left += messages;
  co_return left;
}

void Process::tell_drills() const {
  if (faults_.armed())
    log_.warn("TOA_FAULT is set: this process will fail on purpose", {{"fault", settings_.fault}});
  if (settings_.ladder != delivery::Ladder{})
    log_.warn("TOA_LADDER is set: this process retries sooner than it should");
  if (!settings_.accepts_early)
    log_.warn(
        "TOA_PLAIN_COMMITS is set: each change of an object waits for the one before it to be "
        "durable");
  if (settings_.time_shift.count() != 0) {
    log_.warn("TOA_TIME is set: this process has a shifted clock",
              {{"shift_ms", settings_.time_shift.count()}});
  }
}

void Process::tell_clock_jump(std::chrono::milliseconds ahead) const {
  log_.warn(
      "The clock jumped ahead, and is not followed before all remembered calls have had "
      "their time; if it is right, there is nothing to do",
      {{"ahead_ms", ahead.count()}, {"window_s", longest_window_s(*application_)}});
}

void Process::tell_many_calls(std::size_t calls) const {
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(settings_.data + "/toa.db", unknown);
  log_.warn(
      "Very many calls are remembered; their number is bounded by how many are made within the "
      "time "
      "that `once` states",
      {{"calls", calls}, {"file_mb", unknown ? 0 : bytes >> 20}});
}

Task<Result<void>> Process::open_storage() {
  const auto& context = application_->context;
  auto opened = plugs_.open_storage({.folder = settings_.data,
                                     .loop = loop_,
                                     .writer = writer_,
                                     .reader = reader_,
                                     .scans = scans_,
                                     .clock = clock_,
                                     .faults = faults_,
                                     .outbox_retention_s = context.outbox_retention_s,
                                     .inbox_window_max_s = longest_window_s(*application_),
                                     .on_clock_jump = [this](auto by) { tell_clock_jump(by); },
                                     .on_many_calls = [this](auto n) { tell_many_calls(n); },
                                     .accepts_early = settings_.accepts_early});
  if (!opened) co_return std::unexpected(opened.error());
  storage_ = std::move(*opened);
  if (auto refused = check_storage(); !refused) co_return refused;
  co_return co_await storage_.storage->prepare(kept_components(*application_));
}

Task<Result<void>> Process::open_application() {
  auto bridge = make_node_bridge(settings_, loop_, clock_, *bridge_log_);
  if (!bridge) co_return std::unexpected(bridge.error());
  bridge_ = std::move(*bridge);
  auto application = co_await load_application(settings_, *bridge_);
  if (!application) co_return std::unexpected(application.error());
  application_ = std::move(*application);
  refresh_types();
  co_return Result<void>{};
}

void Process::refresh_types() const {
  if (serves_ == delivery::Serves::own || settings_.environment != "local" ||
      !wants_types(*application_))
    return;
  // Types help who writes code; that they cannot be written stops nobody from running it.
  if (const auto written = write_types(*application_); !written)
    log_.warn("Types are not up to date", {{"reason", written.error().message}});
}

Result<void> Process::check_storage() const {
  const auto& has = storage_.storage->capabilities();
  std::string refused;
  for (const auto& [id, component] : application_->components) {
    const bool kept = component.entity && !component.entity->storage.empty();
    if (!component.migrations.empty() && !(kept && has.migrations)) {
      refused += "Component '" + id.value + "' declares migrations, which storage '" +
                 (kept ? has.name : "null") + "' does not apply\n";
    }
    for (const auto& [name, operation] : component.operations) {
      if (!operation.once_window_s || has.atomic_commit) continue;
      refused += "Component '" + id.value + "' declares once for '" + name + "', and storage '" +
                 has.name + "' does not commit an object and the call that changed it together\n";
    }
  }
  if (refused.empty()) return {};
  return fail(ErrorKind::invalid, refused);
}

void Process::stop_taking() {
  if (delivery_) delivery_->stop_taking();
}

Task<void> Process::close() {
  if (delivery_) co_await delivery_->close();
  if (bridge_) co_await bridge_->close();
  if (storage_.storage) co_await storage_.storage->close();
}

Task<Reply> Process::call(std::string endpoint, Request request, bridge::Consumer& consumer) {
  ++in_progress_;
  auto reply = co_await router_->originate(endpoint, std::move(request), &consumer);
  --in_progress_;
  const auto* exception = std::get_if<Exception>(&reply.outcome);
  if (exception != nullptr && !is_callers(exception->code)) {
    JsonObject attributes{{"endpoint", endpoint},
                          {"exception", exception_name(exception->code)},
                          {"code", static_cast<int>(exception->code)},
                          {"reason", exception->message}};
    if (!exception->operation.empty()) attributes["operation"] = exception->operation;
    if (!exception->thrown.empty()) attributes["thrown"] = exception->thrown;
    if (!exception->stack.empty()) attributes["stack"] = exception->stack;
    log_.error("Call failed", attributes);
  }
  co_return reply;
}

Task<Reply> Process::call(Call call) {
  ++in_progress_;
  auto reply = co_await router_->originate(std::move(call));
  --in_progress_;
  co_return reply;
}

Json Process::status() const {
  return {{"name", application_->context.name},
          {"pid", ::getpid()},
          {"version", TOA_VERSION},
          {"data", settings_.data},
          {"components", application_->authored()}};
}

}  // namespace toa::runtime
