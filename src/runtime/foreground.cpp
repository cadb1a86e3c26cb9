#include "runtime/foreground.hpp"

#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdlib>
#include <unistd.h>

#include "async/asio_loop.hpp"
#include "async/scope.hpp"
#include "base/limits.hpp"
#include "runtime/control_path.hpp"
#include "runtime/control_server.hpp"
#include "runtime/process.hpp"
#include "storage/sqlite/data_folder.hpp"
#include "telemetry/json_log.hpp"

namespace toa::runtime {
namespace {

using Ready = std::function<void(const std::string&)>;

/// SIGINT and SIGTERM ask for a stop; the second of them does not ask.
class Signals {
 public:
  Signals(AsioLoop& loop, Process& process)
      : signals_(loop.context(), SIGINT, SIGTERM), process_(process) {
    wait();
  }
  void close() { signals_.cancel(); }

 private:
  void wait() {
    signals_.async_wait([this](const boost::system::error_code& ec, int signal) {
      if (ec) return;
      if (std::exchange(asked_, true)) std::_Exit(128 + signal);
      process_.stop();
      wait();
    });
  }

  boost::asio::signal_set signals_;
  Process& process_;
  bool asked_ = false;
};

std::string introduce(const Process& process) {
  const auto& application = process.application();
  const auto count = application.components.size();
  return application.context.name + " " + std::to_string(::getpid()) + " " + std::to_string(count);
}

/// Work that outlasts the drain is given up: what it promised to nobody yet is made again by who
/// asked.
void give_up_after_drain(AsioLoop& loop, Process& process, telemetry::JsonLog& log) {
  loop.after(limits::drain_max, [&process, &log] {
    log.warn("Stopped with work in progress", {{"calls", process.in_progress()}});
    log.flush();
    std::_Exit(0);
  });
}

Task<void> serve(Settings settings, const Plugs& plugs, AsioLoop& loop, telemetry::JsonLog& log,
                 const Ready& ready, Result<void>& result) {
  const auto data = settings.data;
  Process process(std::move(settings), plugs, loop, log);
  Signals signals(loop, process);
  result = co_await process.open();
  ControlServer control(loop, process);
  if (result) {
    const auto path = control_path(data);
    result = path ? control.listen(*path) : std::unexpected(path.error());
  }
  if (result) {
    log.info("Ready", {{"pid", ::getpid()}});
    ready(introduce(process));
    co_await process.stopping();
    log.info("Stopping", {{"calls", process.in_progress()}});
    give_up_after_drain(loop, process, log);
  }
  co_await control.close();
  co_await process.close();
  signals.close();
  if (result) log.info("Stopped");
  loop.stop();
}

}  // namespace

Result<void> run_in_foreground(Settings settings, const Plugs& plugs, const Ready& ready) {
  // Who only looks whether the folder is free holds it for an instant.
  auto folder = storage::sqlite::DataFolder::take_within(settings.data, limits::call_lock_wait);
  if (!folder) return std::unexpected(folder.error());
  // A peer that closes its end is an error of that write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a file that may not grow any further.
  std::signal(SIGXFSZ, SIG_IGN);

  const SystemClock clock;
  auto log = telemetry::JsonLog::open({settings.log_file, settings.log_level}, clock);
  if (!log) return std::unexpected(log.error());
  Result<void> result;
  AsioLoop loop;
  Scope scope(loop);
  scope.spawn(serve(std::move(settings), plugs, loop, **log, ready, result));
  loop.run();
  return result;
}

}  // namespace toa::runtime
