#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "gateway/access.hpp"
#include "gateway/access/identity_settings.hpp"
#include "gateway/calls.hpp"
#include "gateway/cors.hpp"
#include "gateway/exchange.hpp"
#include "gateway/http/server.hpp"
#include "gateway/settings.hpp"
#include "gateway/tree/tree.hpp"
#include "telemetry/log.hpp"

namespace toa::gateway {

/// What the gateway is given from outside. All of it outlives the gateway.
struct World {
  Calls& calls;
  Access& access;
  const Clock& clock;
  Random& random;
  telemetry::Log& log;
};

/// What an application says of HTTP, read and checked.
struct Exposition {
  Settings settings;
  Tree tree;
  IdentitySettings identity;
  /// The `exposition` header: build, application, environment.
  std::string build;
};

/// Turns requests into calls and their replies into responses. The way of one request:
///
///   1 locate     host, path, route, method, format         404 405 406 501
///   2 admit      who asks; directives before the body      401 403 429 400
///   3 read       body → input; directives on the input     400 413 415
///   4 select     variables, query string, if-match         400
///   5 call       under the identity of `idempotency-key`
///   6 conclude   reply → status; directives on the output
///   7 finish     headers that every response has
class Gateway final : public http::Handler {
 public:
  Gateway(World world, Exposition exposition);

  Task<void> serve(const http::Request& request, http::Response& response) override;

 private:
  Task<Verdict> handle(Exchange& exchange);
  Task<Verdict> handle_method(Exchange& exchange);
  Task<Verdict> discover(Exchange& exchange);
  Task<Verdict> discover_all(Exchange& exchange);
  Task<Verdict> identify(Exchange& exchange);

  void begin(Exchange& exchange);
  Verdict locate(Exchange& exchange, Verb verb);
  Verdict admit(Exchange& exchange);
  Verdict read_input(Exchange& exchange);
  std::expected<Call, Refused> make_call(Exchange& exchange);
  Verdict conclude(Exchange& exchange, Reply reply);
  Verdict conclude_output(Exchange& exchange, Output output);
  void answer_output(Exchange& exchange);
  void answer_value(Exchange& exchange, const Document& value);
  void refuse(Exchange& exchange, const Refused& refused);
  void finish(Exchange& exchange, std::chrono::nanoseconds began);
  void log_failure(const Exchange& exchange, const Exception& exception);

  World world_;
  Exposition exposition_;
  Cors cors_;
};

}  // namespace toa::gateway
