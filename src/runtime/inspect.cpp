#include "runtime/inspect.hpp"

#include "async/asio_loop.hpp"
#include "async/scope.hpp"
#include "base/clock.hpp"
#include "runtime/application_loader.hpp"
#include "runtime/deaf.hpp"
#include "runtime/node_site.hpp"

namespace toa::runtime {
namespace {

Task<void> look(const Settings& settings, AsioLoop& loop, const Clock& clock, bridge::LogSink& log,
                std::optional<Result<manifest::Application>>& result) {
  auto bridge = make_node_bridge(settings, loop, clock, log);
  if (!bridge) {
    result = std::unexpected(bridge.error());
  } else {
    result = co_await load_application(settings, **bridge);
    co_await (*bridge)->close();
  }
  loop.stop();
}

}  // namespace

Result<manifest::Application> inspect(Settings settings) {
  settings.workers = 1;
  const SystemClock clock;
  Deaf log;
  std::optional<Result<manifest::Application>> result;
  AsioLoop loop;
  Scope scope(loop);
  scope.spawn(look(settings, loop, clock, log, result));
  loop.run();
  return std::move(*result);
}

}  // namespace toa::runtime
