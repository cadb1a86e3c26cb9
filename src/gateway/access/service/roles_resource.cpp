#include "gateway/access/service/roles_resource.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "base/limits.hpp"
#include "base/sha256.hpp"
#include "gateway/access/roles.hpp"
#include "gateway/access/service/account_desk.hpp"
#include "gateway/access/service/resource.hpp"

namespace toa::gateway {
namespace {

constexpr const char* grants = "system:identity:roles";
constexpr const char* delegates = "system:identity:roles:delegation";
constexpr const char* bans = "system:identity:bans";

/// The id of a grant: the same role of the same identity is the same grant.
std::string grant_id(std::string_view identity, std::string_view role) {
  constexpr std::size_t id_bytes = 16;
  const auto hash = sha256_framed({"toa:1:grant", identity, role});
  return to_hex(std::span(hash).first(id_bytes));
}

/// G211, G212: whoever may only delegate gives away what he has, and never the giving itself.
bool may_grant(const Caller& caller, std::string_view role) {
  if (covers(caller.roles, grants)) return true;
  return covers(caller.roles, role) && !covers(grants, role);
}

/// As a token writes them.
std::size_t bytes_of(const std::vector<Grant>& granted) {
  constexpr std::size_t quotes_and_comma = 3;
  std::size_t bytes = 0;
  for (const auto& grant : granted) bytes += grant.role.size() + quotes_and_comma;
  return bytes;
}

Verdict add_role(Account& account, const std::string& role, const std::string& grantor) {
  if (std::ranges::find(account.grants, role, &Grant::role) != account.grants.end()) return {};
  account.grants.push_back({role, grantor});
  if (bytes_of(account.grants) > limits::roles_bytes_max) return refusal("TOO_MANY_ROLES");
  return {};
}

Task<Verdict> list(AccountDesk desk, Exchange& exchange) {
  const auto account = co_await desk.look(exchange.authority, identity_in(exchange));
  if (!account) co_return account.error();
  co_return answer(exchange, 200, boost::json::value_from(account->roles()));
}

Task<Verdict> grant(AccountDesk desk, Exchange& exchange) {
  const auto id = identity_in(exchange);
  const auto role = *text_of(exchange, "role");
  const auto grantor = exchange.caller->id;
  if (!is_role(role)) co_return Refused{400, "role must be segments of letters and digits"};
  if (!is_identity_id(id)) co_return Refused{400, "an identity is 32 hex digits"};
  if (!may_grant(*exchange.caller, role)) co_return refusal("INACCESSIBLE_SCOPE");
  const auto change = [&](Account& account) { return add_role(account, role, grantor); };
  if (auto refused = co_await desk.change(exchange.authority, id, change)) co_return refused;
  co_return answer(exchange, 201, JsonObject{{"id", grant_id(id, role)}, {"grantor", grantor}});
}

// A role that is not held is revoked already: the answer to a repeat.
Task<Verdict> revoke(AccountDesk desk, const Clock& clock, Exchange& exchange) {
  const auto role = variable_of(exchange, "role");
  const auto change = [&](Account& account) -> Verdict {
    if (std::erase_if(account.grants, [&](const auto& one) { return one.role == role; }) > 0)
      account.revoke_tokens(clock.now());
    return {};
  };
  if (auto refused = co_await desk.change(exchange.authority, identity_in(exchange), change))
    co_return refused;
  co_return answer_nothing(exchange);
}

Task<Verdict> ban(AccountDesk desk, const Clock& clock, Exchange& exchange) {
  const bool banned = exchange.input.value().at("banned").as_bool();
  const auto comment = text_of(exchange, "comment").value_or("");
  const auto change = [&](Account& account) -> Verdict {
    account.banned = banned;
    account.comment = comment;
    if (banned) account.revoke_tokens(clock.now());
    return {};
  };
  if (auto refused = co_await desk.change(exchange.authority, identity_in(exchange), change))
    co_return refused;
  co_return answer_nothing(exchange);
}

}  // namespace

void add_roles_resources(Tree& tree, IdentityWorld world, IdentityAccess& access) {
  const AccountDesk desk(world, access);
  const auto& clock = world.clock;
  const JsonObject text{{"type", "string"}};
  OwnResource("/identity/roles/:identity")
      .add(Verb::get, self_or({grants}), std::nullopt,
           [desk](Exchange& exchange) { return list(desk, exchange); })
      .add(Verb::post, holders({grants, delegates}), object_schema({{"role", text}}, {"role"}),
           [desk](Exchange& exchange) { return grant(desk, exchange); })
      .add_to(tree);
  OwnResource("/identity/roles/:identity/:role")
      .add(Verb::delete_, holders({grants}), std::nullopt,
           [desk, &clock](Exchange& exchange) { return revoke(desk, clock, exchange); })
      .add_to(tree);
  OwnResource("/identity/bans/:identity")
      .add(Verb::put, holders({bans}),
           object_schema({{"banned", JsonObject{{"type", "boolean"}}}, {"comment", text}},
                         {"banned"}),
           [desk, &clock](Exchange& exchange) { return ban(desk, clock, exchange); })
      .add_to(tree);
}

}  // namespace toa::gateway
