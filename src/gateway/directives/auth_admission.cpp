#include "gateway/directives/auth_admission.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "gateway/access/account.hpp"
#include "gateway/access/permissions.hpp"
#include "gateway/directives/fill.hpp"
#include "gateway/http/request.hpp"

namespace toa::gateway {
namespace {

constexpr const char* input_refused = "Input property is not authorized";

/// Credentials that cannot become those of a new identity (G177).
Verdict refuse_claim(const Exchange& exchange) {
  if (exchange.presented == Presented::unreadable)
    return Refused{422, {}, {}, "INVALID_CREDENTIALS"};
  if (!exchange.misfit.empty()) return Refused{422, {}, {}, std::string(exchange.misfit)};
  return {};
}

std::string scheme_text(const std::string& scheme) {
  auto name = scheme;
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 32);
  return fmt::format("{} authentication scheme is required to access this resource", name);
}

bool all_admit(const Conditions& conditions, const Exchange& exchange) {
  return std::ranges::all_of(conditions,
                             [&](const auto& one) { return one->admits(exchange) == Says::yes; });
}

std::optional<std::string> id_in(const Exchange& exchange) {
  if (!exchange.output.has_value()) return std::nullopt;
  const auto* id = json::find(exchange.output.value(), *exchange.incepts);
  if (id == nullptr || !id->is_string() || !is_identity_id(id->get_string())) return std::nullopt;
  return canonical_id(std::string(id->get_string()));
}

}  // namespace

Verdict Admission::admit(Exchange& exchange) {
  const Condition* admitting = nullptr;
  bool broken = false;
  for (const auto& condition : admissions_.alternatives) {
    const auto said = condition->admits(exchange);
    broken = broken || said == Says::broken;
    if (said != Says::yes) continue;
    admitting = condition.get();
    break;
  }
  if (admitting == nullptr) return Refused{broken ? 500 : exchange.caller ? 403 : 401};
  exchange.incepts = admitting->incepts();
  if (exchange.incepts != nullptr) return refuse_claim(exchange);
  if (!exchange.caller) return {};
  const auto& caller = *exchange.caller;
  if (admissions_.scheme && !http::same_name(*admissions_.scheme, caller.scheme))
    return Refused{403, scheme_text(*admissions_.scheme)};
  if (caller.permissions && !caller.permissions->allow(exchange.request.method(), exchange.path))
    return Refused{403};
  return {};
}

Verdict Admission::prepare(Exchange& exchange) {
  if (auto refused = check_guarded(exchange)) return refused;
  return fill_delegated(exchange);
}

Verdict Admission::check_guarded(const Exchange& exchange) const {
  if (admissions_.guarded.empty() || !exchange.input.has_value()) return {};
  const auto* members = exchange.input.value().if_object();
  if (members == nullptr) return {};
  for (const auto& guard : admissions_.guarded) {
    const bool sent = std::ranges::any_of(
        guard.properties, [&](const auto& name) { return members->contains(name); });
    if (sent && !all_admit(guard.conditions, exchange)) return Refused{403, input_refused};
  }
  return {};
}

Verdict Admission::fill_delegated(Exchange& exchange) const {
  for (const auto& condition : admissions_.alternatives) {
    const auto* property = condition->delegates();
    if (property == nullptr) continue;
    if (exchange.caller) {
      const auto& caller = *exchange.caller;
      if (auto refused = fill_input(
              exchange, *property,
              JsonObject{{"id", caller.id}, {"roles", boost::json::value_from(caller.roles)}}))
        return refused;
    } else if (exchange.input.has_value() && exchange.input.value().is_object()) {
      // Whoever is admitted otherwise must not say who he is either.
      exchange.input.edit().get_object().erase(*property);
    }
  }
  return {};
}

// Before the output is cut to what a client sees (G203).
Verdict Admission::conclude(Exchange& exchange) {
  if (exchange.incepts != nullptr && !exchange.incepts->empty() && !exchange.replayed)
    exchange.incepted = id_in(exchange).value_or("");
  return {};
}

bool Admission::shows(const Exchange& exchange) const {
  return std::ranges::any_of(admissions_.alternatives,
                             [&](const auto& condition) { return condition->shows(exchange); });
}

void Admission::describe(JsonObject& entry) const {
  for (const auto& condition : admissions_.alternatives) {
    entry[condition->mark()] = true;
    if (const auto* property = condition->delegates()) hide_input(entry, *property);
  }
}

}  // namespace toa::gateway
