#include "runtime/foreground.hpp"

#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>
#include <unistd.h>

#include "async/asio_loop.hpp"
#include "async/scope.hpp"
#include "base/limits.hpp"
#include "runtime/control_client.hpp"
#include "runtime/control_path.hpp"
#include "runtime/control_server.hpp"
#include "runtime/http_site.hpp"
#include "runtime/process.hpp"
#include "storage/sqlite/data_folder.hpp"
#include "telemetry/json_log.hpp"

namespace toa::runtime {
namespace {

using storage::sqlite::DataFolder;
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

/// Every client takes a descriptor, and a shell gives few.
void allow_many_connections() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  constexpr rlim_t wanted = limits::http_connections_max + 1'000;
  files.rlim_cur = std::max(files.rlim_cur, std::min(files.rlim_max, wanted));
  ::setrlimit(RLIMIT_NOFILE, &files);
}

std::string introduce(const Process& process) {
  const auto& application = process.application();
  const auto count = application.authored();
  return application.context.name + " " + std::to_string(::getpid()) + " " + std::to_string(count);
}

/// Work that outlasts the drain is given up: what it promised to nobody yet is made again by who
/// asked.
void give_up_after_drain(AsioLoop& loop, Process& process, telemetry::JsonLog& log,
                         const Result<void>& result) {
  loop.after(limits::drain_max, [&process, &log, &result] {
    log.warn("Stopped with work in progress", {{"calls", process.in_progress()}});
    log.flush();
    if (!result) std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::_Exit(result ? 0 : 1);
  });
}

Task<void> serve(Settings settings, const Plugs& plugs, AsioLoop& loop, telemetry::JsonLog& log,
                 const Ready& ready, Result<void>& result) {
  const auto data = settings.data;
  const auto http_settings = settings;
  Process process(std::move(settings), plugs, loop, log);
  Signals signals(loop, process);
  HttpSite http(http_settings, loop, log, process);
  result = co_await process.open(
      [&http](const manifest::Application& application) { return http.prepare(application); });
  ControlServer control(loop, process);
  if (result) {
    const auto path = control_path(data);
    result = path ? control.listen(*path) : std::unexpected(path.error());
  }
  if (result) result = http.open();
  if (result) {
    log.info("Ready", {{"pid", ::getpid()}});
    ready(introduce(process) + http.address());
    co_await process.stopping();
    log.info("Stopping", {{"calls", process.in_progress()}});
  }
  // Before anything is waited for: what was opened may have taken up messages that never end.
  give_up_after_drain(loop, process, log, result);
  process.stop_taking();
  co_await http.close();
  co_await control.close();
  co_await process.close();
  signals.close();
  if (result) log.info("Stopped");
  loop.stop();
}

Result<DataFolder> take_folder(const std::string& data, std::chrono::milliseconds patience) {
  const auto path = control_path(data);
  if (!path) return std::unexpected(path.error());
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    // Who only looks whether the folder is free holds it for an instant.
    auto folder = DataFolder::take_within(data, limits::call_lock_wait);
    const bool held = !folder && folder.error().kind == ErrorKind::conflict;
    if (!held || std::chrono::steady_clock::now() >= deadline || ControlClient::connect(*path))
      return folder;
  }
}

}  // namespace

Result<void> run_in_foreground(Settings settings, const Plugs& plugs, const Ready& ready,
                               std::chrono::milliseconds patience) {
  auto folder = take_folder(settings.data, patience);
  if (!folder) return std::unexpected(folder.error());
  // A peer that closes its end is an error of that write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a file that may not grow any further.
  std::signal(SIGXFSZ, SIG_IGN);
  allow_many_connections();

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
