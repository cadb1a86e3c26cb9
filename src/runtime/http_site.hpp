#pragma once

#include <optional>
#include <string>

#include "async/asio_loop.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "gateway/expose.hpp"
#include "gateway/gateway.hpp"
#include "gateway/readiness.hpp"
#include "runtime/families.hpp"
#include "runtime/identity_site.hpp"
#include "runtime/settings.hpp"
#include "telemetry/log.hpp"

namespace toa::runtime {

/// The gateway of a running application with its two ports; nothing for one that says nothing of
/// HTTP. Loop thread.
class HttpSite {
 public:
  HttpSite(const Settings& settings, AsioLoop& loop, telemetry::Log& log, gateway::Calls& calls);

  /// Reads the routes, and tells who asks on the ready port that it is not ready yet.
  Result<void> prepare(const manifest::Application& application);
  /// Takes requests.
  Result<void> open();
  /// Takes no more; returns when those taken are answered.
  Task<void> close();

  /// ` http://127.0.0.1:8000 ready http://127.0.0.1:8004/.ready`, with ` key <file>` where this
  /// start made a key for tokens; nothing where nothing is open.
  std::string address() const;

 private:
  Settings settings_;
  AsioLoop& loop_;
  telemetry::Log& log_;
  gateway::Calls& calls_;
  SystemClock clock_;
  SystemRandom random_;
  IdentitySite identity_;
  Families families_{clock_};
  gateway::Readiness readiness_;
  std::optional<gateway::Gateway> gateway_;
  gateway::http::Server ready_server_;
  std::optional<gateway::http::Server> server_;
  std::uint16_t port_ = 0;
  std::uint16_t ready_port_ = 0;
};

}  // namespace toa::runtime
