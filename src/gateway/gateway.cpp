#include "gateway/gateway.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "gateway/description.hpp"
#include "gateway/directives/fill.hpp"
#include "gateway/etag.hpp"
#include "gateway/formats/media.hpp"
#include "gateway/host.hpp"
#include "gateway/identity.hpp"
#include "gateway/outcome.hpp"
#include "gateway/query.hpp"
#include "gateway/trace.hpp"
#include "gateway/tree/path.hpp"
#include "manifest/utf8.hpp"

namespace toa::gateway {
namespace {

constexpr std::string_view discovery_path = "/.discovery";

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}

std::string_view query_of(std::string_view target) {
  const auto mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
}

bool reads(Verb verb) {
  return verb == Verb::get || verb == Verb::head;
}

/// The last of the values, which is the nearest proxy's (G156).
std::optional<std::string> last_value(const http::Request& request, std::string_view header) {
  const auto all = request.joined(header);
  if (!all) return std::nullopt;
  const auto last = trimmed(std::string_view(*all).substr(all->rfind(',') + 1));
  return last.empty() ? std::nullopt : std::optional<std::string>(last);
}

}  // namespace

Gateway::Gateway(World world, Exposition exposition)
    : world_(world), exposition_(std::move(exposition)), cors_(exposition_.tree) {}

Task<void> Gateway::serve(const http::Request& request, http::Response& response) {
  const auto began = world_.clock.steady();
  Exchange exchange{.request = request, .response = response};
  begin(exchange);
  const auto refused = co_await handle(exchange);
  if (refused) refuse(exchange, *refused);
  finish(exchange, began);
}

void Gateway::begin(Exchange& exchange) {
  const auto& request = exchange.request;
  exchange.ray = trace_of(request, world_.random);
  exchange.target_query = query_of(request.target());
  exchange.credentials = request.find("authorization").has_value();
  if (exposition_.settings.ip) exchange.address = last_value(request, *exposition_.settings.ip);
}

Task<Verdict> Gateway::handle(Exchange& exchange) {
  const auto& request = exchange.request;
  const auto accept =
      request.count("accept") > 1
          ? request.joined("accept")
          : request.find("accept").transform([](auto text) { return std::string(text); });
  const auto format = negotiate(accept.value_or(""));
  exchange.format = format.value_or(Format::json);
  const auto host = request.find("host").value_or("");
  if (!host.empty() && !is_host(host)) co_return Refused{400, "Host is malformed"};
  exchange.authority = authority_of(exposition_.settings, host);
  if (Cors::is_preflight(request)) {
    cors_.answer_preflight(exchange.response);
    co_return Verdict{};
  }
  const auto verb = verb_of(request.method());
  if (!verb) co_return Refused{501};
  if (path_of(request.target()) == discovery_path) co_return co_await discover_all(exchange);
  if (auto refused = locate(exchange, *verb)) co_return refused;
  if (!format) co_return Refused{406};
  if (*verb == Verb::options) co_return co_await discover(exchange);
  co_return co_await handle_method(exchange);
}

Verdict Gateway::locate(Exchange& exchange, Verb verb) {
  const auto target = path_of(exchange.request.target());
  auto path = read_path(target);
  if (!path) return Refused{400, "Path is malformed"};
  if (!path->slashed) return Refused{404, "Trailing slash is required"};
  auto match = exposition_.tree.match(path->segments);
  if (!match) return Refused{404, "Route not found"};
  exchange.path = std::move(path->canonical);
  exchange.resource = match->resource;
  exchange.variables = std::move(match->variables);
  if (verb == Verb::options) return {};
  exchange.method = match->resource->find(verb);
  if (exchange.method != nullptr) return {};
  exchange.response.add("allow", match->resource->allow);
  return Refused{405};
}

Task<Verdict> Gateway::identify(Exchange& exchange) {
  if (!exchange.credentials) co_return Verdict{};
  co_return co_await world_.access.authenticate(exchange);
}

Task<Verdict> Gateway::handle_method(Exchange& exchange) {
  if (exchange.credentials) {
    if (auto refused = co_await world_.access.authenticate(exchange)) co_return refused;
  }
  if (auto refused = admit(exchange)) co_return refused;
  if (auto refused = read_input(exchange)) co_return refused;
  if (exchange.method->native) {
    if (auto refused = co_await exchange.method->native->serve(exchange)) co_return refused;
    answer_output(exchange);
    co_return Verdict{};
  }
  auto call = make_call(exchange);
  if (!call) co_return std::move(call.error());
  auto reply = co_await world_.calls.call(std::move(*call));
  if (auto refused = conclude(exchange, std::move(reply))) co_return refused;
  if (exchange.answered) co_return Verdict{};
  if (world_.access.concludes(exchange)) {
    if (auto refused = co_await world_.access.conclude(exchange)) co_return refused;
  }
  answer_output(exchange);
  co_return Verdict{};
}

Verdict Gateway::admit(Exchange& exchange) {
  for (const auto& directive : exchange.method->directives) {
    if (auto refused = directive->admit(exchange)) return refused;
  }
  return {};
}

Verdict Gateway::read_input(Exchange& exchange) {
  const auto& method = *exchange.method;
  const auto body = exchange.request.body();
  // A compressed body would be read as what it is not, or expand without end.
  const auto encoding = exchange.request.find("content-encoding").value_or("identity");
  if (!body.empty() && encoding != "identity")
    return Refused{415, "a body is taken as it is: no content-encoding"};
  if (method.buffer) {
    if (!manifest::characters(body)) return Refused{400, "the body is not valid UTF-8"};
    exchange.input.set(Json(JsonObject{{*method.buffer, body}}));
    exchange.filled.push_back(*method.buffer);
  } else if (!body.empty()) {
    auto decoded = decode(exchange.request.find("content-type").value_or(""), body);
    if (decoded.trouble == Decoded::Trouble::unsupported) return Refused{415};
    if (decoded.trouble == Decoded::Trouble::too_large) return Refused{413};
    if (!decoded.document) return Refused{400, std::move(decoded.why)};
    exchange.input.set(std::move(*decoded.document));
  }
  for (const auto& directive : method.directives) {
    if (auto refused = directive->prepare(exchange)) return refused;
  }
  return {};
}

std::expected<Call, Refused> Gateway::make_call(Exchange& exchange) {
  auto query = make_query(exchange);
  if (!query) return std::unexpected(std::move(query.error()));
  auto identity = identity_of(exchange);
  if (!identity) return std::unexpected(std::move(identity.error()));
  const auto& method = *exchange.method;
  Call call{.endpoint = method.endpoint, .request = {}};
  call.request.id = *identity ? **identity : new_identity(world_.clock, world_.random);
  call.request.input = exchange.input.take();
  call.request.query = std::move(*query);
  call.readonly = method.readonly ? Readonly::yes : Readonly::no;
  return call;
}

Verdict Gateway::conclude(Exchange& exchange, Reply reply) {
  exchange.replayed = reply.replay == Replay::yes;
  if (exchange.replayed) exchange.response.add("idempotency-replayed", "true");
  if (auto* output = std::get_if<Output>(&reply.outcome))
    return conclude_output(exchange, std::move(*output));
  if (const auto* refusal = std::get_if<Refusal>(&reply.outcome)) {
    exchange.response.status = 422;
    exchange.answered = true;
    answer_value(exchange, Document::of(said_by(*refusal)));
    return {};
  }
  const auto& exception = std::get<Exception>(reply.outcome);
  const auto status = status_of(exception.code);
  if (status == 500) log_failure(exchange, exception);
  return Refused{status, told_of(exception, exposition_.settings.debug)};
}

Verdict Gateway::conclude_output(Exchange& exchange, Output output) {
  if (output.value && is_nothing_found(*output.value)) return Refused{404};
  exchange.response.status = exchange.method->verb == Verb::post ? 201 : 200;
  if (output.value) exchange.output.set(std::move(*output.value));
  for (const auto& directive : exchange.method->directives) {
    if (auto refused = directive->conclude(exchange)) return refused;
  }
  return {};
}

void Gateway::answer_output(Exchange& exchange) {
  auto& response = exchange.response;
  if (exchange.withheld) exchange.output.clear();
  auto output = exchange.output.take();
  if (!output) {
    if (response.status == 200) response.status = 204;
    return;
  }
  answer_value(exchange, *output);
  const bool kept = exchange.cache_control && exchange.cache_control->contains("no-store");
  if (!reads(exchange.method->verb) || kept) return;
  const auto tag = etag_of(response.body);
  response.add("etag", tag);
  if (const auto known = exchange.request.find("if-none-match"); known && matches_etag(*known, tag))
    response.status = 304;
}

void Gateway::answer_value(Exchange& exchange, const Document& value) {
  exchange.response.add("content-type", media_type(exchange.format));
  exchange.response.body = encode(exchange.format, value);
}

void Gateway::refuse(Exchange& exchange, const Refused& refused) {
  auto& response = exchange.response;
  response.status = refused.status;
  response.body.clear();
  exchange.cache_control.reset();
  if (refused.retry_after)
    response.add("retry-after", std::to_string(refused.retry_after->count()));
  if (!refused.code.empty()) {
    answer_value(exchange, Document::of(JsonObject{{"code", refused.code}}));
  } else if (!refused.message.empty()) {
    answer_value(exchange, Document::of(Json(refused.message)));
  }
}

void Gateway::finish(Exchange& exchange, std::chrono::nanoseconds began) {
  auto& response = exchange.response;
  if (exchange.method != nullptr) {
    for (const auto& directive : exchange.method->directives) directive->settle(exchange);
  }
  world_.access.settle(exchange);
  // Most need no more, and grow but once.
  constexpr std::size_t usual_bytes = 120;
  std::string vary;
  vary.reserve(usual_bytes);
  vary += "origin";
  const auto add = [&vary](std::string_view name) {
    vary += ", ";
    vary += name;
  };
  if (exchange.method != nullptr) std::ranges::for_each(exchange.method->reads, add);
  add("accept");
  std::ranges::for_each(exchange.vary, add);
  response.add("vary", vary);
  if (!exchange.cache_control && exchange.caller) exchange.cache_control = "no-store";
  if (exchange.cache_control) response.add("cache-control", *exchange.cache_control);
  Cors::allow(exchange.request, response);
  response.add("ray", exchange.ray);
  response.add("exposition", exposition_.build);
  const std::chrono::duration<double, std::milli> took = world_.clock.steady() - began;
  std::array<char, 48> timing{};
  const auto end =
      fmt::format_to_n(timing.data(), timing.size(), "total;dur={:.3f}", took.count()).out;
  response.add("server-timing", {timing.data(), end});
}

Task<Verdict> Gateway::discover(Exchange& exchange) {
  if (auto refused = co_await identify(exchange)) co_return refused;
  auto entries = describe(*exchange.resource, exchange);
  if (!entries) co_return Refused{403};
  std::string allow;
  for (const auto& entry : *entries) {
    if (!allow.empty()) allow += ", ";
    allow += entry.key();
  }
  exchange.response.add("allow", allow);
  answer_value(exchange, Document::of(std::move(*entries)));
  co_return Verdict{};
}

Task<Verdict> Gateway::discover_all(Exchange& exchange) {
  exchange.response.add("allow", "GET, HEAD, OPTIONS");
  if (exchange.request.method() != "OPTIONS") co_return Refused{405};
  if (auto refused = co_await identify(exchange)) co_return refused;
  JsonObject routes;
  for (const auto* resource : exposition_.tree.resources()) {
    auto entries = describe(*resource, exchange);
    if (entries) routes[resource->path] = std::move(*entries);
  }
  exchange.cache_control = "private, max-age=1800";
  answer_value(exchange, Document::of(JsonObject{{"routes", std::move(routes)}}));
  co_return Verdict{};
}

void Gateway::log_failure(const Exchange& exchange, const Exception& exception) {
  JsonObject attributes{{"endpoint", exchange.method->endpoint},
                        {"ray", exchange.ray},
                        {"exception", exception_name(exception.code)},
                        {"code", static_cast<int>(exception.code)},
                        {"reason", exception.message}};
  if (!exception.operation.empty()) attributes["operation"] = exception.operation;
  if (!exception.thrown.empty()) attributes["thrown"] = exception.thrown;
  if (!exception.stack.empty()) attributes["stack"] = exception.stack;
  world_.log.error("Request failed", attributes);
}

}  // namespace toa::gateway
