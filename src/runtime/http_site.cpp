#include "runtime/http_site.hpp"

#include <fmt/format.h>

namespace toa::runtime {

HttpSite::HttpSite(const Settings& settings, AsioLoop& loop, telemetry::Log& log,
                   gateway::Calls& calls)
    : settings_(settings),
      loop_(loop),
      log_(log),
      calls_(calls),
      clock_(settings.time_shift),
      identity_(settings, loop, log),
      ready_server_(loop, clock_, readiness_) {}

Result<void> HttpSite::prepare(const manifest::Application& application) {
  if (!gateway::is_exposed(application)) return {};
  std::vector<std::string> warnings;
  auto exposition = families_.expose(application, warnings, settings_.variables);
  if (!exposition) return std::unexpected(exposition.error());
  for (const auto& warning : warnings) log_.warn(warning);
  auto access = identity_.open(application.context.name, *exposition, {calls_, clock_, random_});
  if (!access) return std::unexpected(access.error());
  gateway_.emplace(
      gateway::World{
          .calls = calls_, .access = **access, .clock = clock_, .random = random_, .log = log_},
      std::move(*exposition));
  const auto listening = ready_server_.listen(settings_.http.host, settings_.http.ready_port);
  if (!listening)
    return fail(listening.error().kind, listening.error().message + " (--ready-port)");
  ready_port_ = *listening;
  return {};
}

Result<void> HttpSite::open() {
  if (!gateway_) return {};
  server_.emplace(loop_, clock_, *gateway_);
  const auto listening = server_->listen(settings_.http.host, settings_.http.port);
  if (!listening) return fail(listening.error().kind, listening.error().message + " (--port)");
  port_ = *listening;
  readiness_.set(true);
  log_.info("Serving HTTP",
            {{"host", settings_.http.host}, {"port", port_}, {"ready_port", ready_port_}});
  return {};
}

Task<void> HttpSite::close() {
  readiness_.set(false);
  if (server_) co_await server_->close();
  co_await ready_server_.close();
}

std::string HttpSite::address() const {
  if (port_ == 0) return {};
  const auto host =
      settings_.http.host.contains(':') ? "[" + settings_.http.host + "]" : settings_.http.host;
  const auto& key = identity_.key_file();
  return fmt::format(" http://{}:{} ready http://{}:{}/.ready{}", host, port_, host, ready_port_,
                     key ? " key " + *key : "");
}

}  // namespace toa::runtime
