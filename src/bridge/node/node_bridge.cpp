#include "bridge/node/node_bridge.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"
#include "bridge/node/application_document.hpp"
#include "bridge/node/node_version.hpp"
#include "bridge/node/waiting_report.hpp"

namespace toa::bridge {
namespace {

Exception stopped() {
  return {.message = "the application stopped before the operation ended"};
}

Exception guilty(const node::Ending& ending) {
  return {.message = fmt::format("the operation ended its worker twice: {}", ending.what),
          .for_good = true};
}

std::string too_old(const std::string& node, const std::string& version) {
  return fmt::format(
      "Node.js {} was found ('{}'), and {} or newer is needed: install a newer one, or say where "
      "it is",
      version, node, node::node_major_min);
}

bool is_too_old(const std::string& version) {
  return node::major_version(version).value_or(node::node_major_min) < node::node_major_min;
}

std::unordered_map<OperationNumber, std::string> names_of(const Application& application) {
  std::unordered_map<OperationNumber, std::string> names;
  for (const auto& component : application.components) {
    for (const auto& operation : component.operations) {
      names.emplace(operation.number, component.id + "." + operation.name);
    }
    if (component.events) names.emplace(component.events->number, component.id + ".events");
    if (component.guards) names.emplace(component.guards->number, component.id + ".guards");
    if (component.commands) names.emplace(component.commands->number, component.id + ".rc");
    for (const auto& receiver : component.receivers) {
      names.emplace(receiver.number, component.id + ".receivers/" + receiver.event);
    }
  }
  return names;
}

std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::preflight:
      return "preflight";
    case Stage::settle:
      return "settle";
    case Stage::ready:
      return "ready";
  }
  return "";
}

}  // namespace

NodeBridge::NodeBridge(AsioLoop& loop, const Clock& clock, LogSink& log, NodeOptions options)
    : setting_{.loop = loop,
               .clock = clock,
               .log = log,
               .options = std::move(options),
               .preparation = *this},
      pool_(setting_, *this),
      quarantine_(setting_),
      work_(loop),
      finished_(loop),
      stopped_(loop),
      all_left_(loop) {
  quarantine_.on_lost(
      [this](auto runs, const auto& ending) { lost_in_quarantine(std::move(runs), ending); });
}

Task<Result<Loaded>> NodeBridge::load(Application application) {
  require(names_.empty(), "an application was loaded twice");
  names_ = names_of(application);
  for (const auto& component : application.components) {
    if (component.commands) commands_.emplace_back(component.commands->number, component.id);
  }
  setting_.application = node::application_document(application, setting_.options.clock_shift);
  auto loaded = co_await pool_.load();
  if (loaded && !is_too_old(loaded->node)) {
    work_.spawn(report_waiting());
    co_return std::move(loaded->loaded);
  }
  pool_.stop();
  if (loaded) co_return fail(ErrorKind::invalid, too_old(setting_.options.node, loaded->node));
  co_return std::unexpected(co_await explain(loaded.error()));
}

Task<Error> NodeBridge::explain(node::Ending ending) {
  if (!ending.started) {
    co_return Error{ErrorKind::invalid,
                    fmt::format("Node.js cannot be run: {}. Node.js {} or newer is needed: install "
                                "it, or say where it is",
                                ending.what, node::node_major_min)};
  }
  const auto version = co_await node::node_version(setting_.loop, setting_.options.node);
  if (version && is_too_old(*version)) {
    co_return Error{ErrorKind::invalid, too_old(setting_.options.node, *version)};
  }
  auto message =
      fmt::format("a worker ended before it had loaded the application: {}", ending.what);
  if (!ending.output.empty()) message += "\n" + ending.output;
  co_return Error{ErrorKind::unavailable, std::move(message)};
}

Task<Result<void>> NodeBridge::enter(Stage stage, Commander& commander) {
  if (!needed()) co_return Result<void>{};
  commander_ = &commander;
  stage_ = stage;
  auto failed = co_await pool_.advance();
  if (failed) co_return fail(ErrorKind::invalid, *std::move(failed));
  co_return Result<void>{};
}

Task<std::optional<std::string>> NodeBridge::run_commands(node::Worker& worker, Stage stage) {
  for (const auto& [number, component] : commands_) {
    const auto host = commander_->host(component, stage);
    auto ran = co_await run_command(worker, number, stage, *host);
    if (const auto* thrown = std::get_if<Exception>(&ran)) co_return thrown->message;
    if (worker.ending()) co_return "a worker ended while its run commands ran";
  }
  co_return std::nullopt;
}

Task<Ran> NodeBridge::run_command(node::Worker& worker, OperationNumber number, Stage stage,
                                  Host& host) {
  Run run{.operation = number, .input = Document::of(Json(stage_name(stage))), .state = {}};
  node::ActiveRun active(setting_.loop, std::move(run), host, names_.at(number), nullptr);
  active.tied = true;
  begin(active);
  const auto late = setting_.loop.after(limits::run_command_max, [&active] {
    active.ended.complete(Exception{
        .message = fmt::format(
            "the run commands of {} did not end within {} s", active.name,
            std::chrono::duration_cast<std::chrono::seconds>(limits::run_command_max).count())});
  });
  worker.start(active);
  auto ran = co_await active.ended;
  setting_.loop.cancel(late);
  worker.forget(active);
  co_await active.calls.close();
  leave(active);
  co_return ran;
}

Task<Ran> NodeBridge::run(Run run, Host& host) {
  const auto name = names_.find(run.operation);
  require(name != names_.end(), "an operation was run that is not loaded");
  if (stopped_.rung()) co_return stopped();
  if (!node::fits_frame(run)) {
    co_return Exception{.message = "the input and the state are larger than a worker can be given"};
  }
  auto* const caller = active(run.caller);
  node::ActiveRun active(setting_.loop, std::move(run), host, name->second, caller);
  begin(active);
  pool_.submit(active);
  auto ran = co_await active.ended;
  if (active.calls.running() > 0) co_await active.calls.close();
  leave(active);
  if (active.stream.spoiled) co_return std::move(*active.stream.spoiled);
  co_return ran;
}

node::ActiveRun* NodeBridge::active(const Host* host) const {
  const auto found = by_host_.find(host);
  return found == by_host_.end() ? nullptr : found->second;
}

void NodeBridge::begin(node::ActiveRun& run) {
  run.started = setting_.clock.steady();
  run.report_after = setting_.options.report_after;
  runs_.insert(&run);
  by_host_[&run.host] = &run;
}

void NodeBridge::leave(node::ActiveRun& run) {
  runs_.erase(&run);
  if (active(&run.host) == &run) by_host_.erase(&run.host);
  if (!closing_ || !runs_.empty()) return;
  finished_.ring();
  if (stopped_.rung()) all_left_.complete(true);
}

void NodeBridge::lost(std::vector<node::ActiveRun*> runs, const node::Ending&) {
  for (auto* run : runs) run->lose();
  for (auto* run : runs) {
    if (ended_without(*run)) continue;
    run->host.restarted();
    quarantine_.submit(*run);
  }
}

void NodeBridge::stranded(const std::vector<node::ActiveRun*>& runs, const node::Ending& ending) {
  for (auto* run : runs)
    run->ended.complete(
        Exception{.message = fmt::format("no worker can be started: {}", ending.what)});
}

void NodeBridge::lost_in_quarantine(std::vector<node::ActiveRun*> runs,
                                    const node::Ending& ending) {
  if (runs.size() == 1) ++runs.front()->deaths;
  for (auto* run : runs) run->lose();
  for (auto* run : runs) {
    if (runs.size() > 1) run->trial *= 2;
    lost_again(*run, ending);
  }
  if (setting_.cannot_start()) stranded(quarantine_.take_waiting(), ending);
}

void NodeBridge::lost_again(node::ActiveRun& run, const node::Ending& ending) {
  if (ended_without(run)) return;
  if (run.deaths >= limits::worker_deaths_of_the_guilty) {
    run.ended.complete(guilty(ending));
    return;
  }
  run.host.restarted();
  quarantine_.submit(run);
}

// A caller that was lost makes its calls again: what it called before needs no second run of its
// own.
bool NodeBridge::ended_without(node::ActiveRun& run) {
  if (stopped_.rung()) return run.ended.complete(stopped());
  // What was sent of a stream cannot be taken back, so that it is not sent again.
  if (run.stream.begun) {
    return run.ended.complete(
        Exception{.message = "the operation was lost with its worker in the middle of a stream"});
  }
  if (!run.caller_lost()) return false;
  return run.ended.complete(Exception{.message = "the operation was lost with its caller"});
}

void NodeBridge::abandon(const std::vector<node::ActiveRun*>& runs) {
  for (auto* run : runs) run->ended.complete(stopped());
}

Task<void> NodeBridge::report_waiting() {
  while (co_await stopped_.wait(setting_.options.report_after / 4)) {
    const auto now = setting_.clock.steady();
    for (auto* run : runs_) {
      if (auto entry = node::report_waiting(*run, now)) setting_.log.write(std::move(*entry));
    }
  }
}

Task<void> NodeBridge::close() {
  closing_ = true;
  if (!runs_.empty()) co_await finished_.wait(setting_.options.finish_max);
  stopped_.ring();
  pool_.stop();
  quarantine_.stop();
  abandon(pool_.take_waiting());
  abandon(quarantine_.take_waiting());
  co_await pool_.ended();
  co_await quarantine_.ended();
  abandon(quarantine_.take_waiting());
  if (!runs_.empty()) co_await all_left_;
  co_await work_.close();
}

}  // namespace toa::bridge
