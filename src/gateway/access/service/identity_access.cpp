#include "gateway/access/service/identity_access.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"

namespace toa::gateway {
namespace {

constexpr std::string_view basic = "Basic";
constexpr std::string_view token_scheme = "Token";

Caller caller_of(const Token& token) {
  return {.id = token.identity,
          .roles = token.roles,
          .transient = token.transient,
          .scheme = token_scheme,
          .custom = !token.custom.empty(),
          .permissions = token.permissions};
}

Caller caller_of(const Account& account) {
  return {.id = account.id, .roles = account.roles(), .scheme = basic, .token_due = true};
}

void admit(Exchange& exchange, Caller caller) {
  exchange.presented = Presented::good;
  exchange.caller = std::move(caller);
}

/// Tokens go with whatever is no failure of the request as such: a client may sign in with any
/// (G171).
bool carries_token(int status) {
  constexpr int first_failure = 400;
  return status < first_failure || status == 404 || status == 422;
}

std::optional<UserPassword> user_of(const Exchange& exchange) {
  const auto header = exchange.request.find("authorization");
  const auto authorization = header ? Authorization::read(*header) : std::nullopt;
  return authorization ? UserPassword::read(authorization->text) : std::nullopt;
}

}  // namespace

Refused refused_by(const Error& error) {
  constexpr std::chrono::seconds soon{1};
  if (error.kind == ErrorKind::conflict) return {409};
  return {503, {}, soon};
}

IdentityAccess::IdentityAccess(IdentityWorld world, std::optional<Bouncer> bouncer)
    : world_(world), known_(world.settings.cache_max) {
  if (bouncer)
    bouncer_.emplace(bouncer->attempts, bouncer->interval, limits::bouncer_addresses_max);
}

Task<Verdict> IdentityAccess::authenticate(Exchange& exchange) {
  if (auto refused = bounce(exchange)) co_return refused;
  const auto& request = exchange.request;
  const auto header = request.count("authorization") == 1
                          ? Authorization::read(*request.find("authorization"))
                          : std::nullopt;
  if (!header) {
    reject(exchange, Presented::refused, "a header that is not a scheme with credentials");
  } else if (header->is(basic)) {
    co_return co_await by_password(exchange, std::string(header->text));
  } else if (header->is(token_scheme) || header->is("Bearer")) {
    auto opened = world_.tokens.open(header->text, exchange.authority);
    if (!opened) {
      reject(exchange, Presented::refused, opened.error());
    } else if (!(*opened)->custom.empty()) {
      co_return co_await by_custom_token(exchange, std::move(*opened));
    } else if (world_.tokens.is_stale(**opened)) {
      co_return co_await by_stale_token(exchange, std::move(*opened));
    } else {
      admit(exchange, caller_of(**opened));
    }
  } else {
    reject(exchange, Presented::foreign, "a scheme that is not known");
  }
  co_return Verdict{};
}

Verdict IdentityAccess::bounce(const Exchange& exchange) {
  if (!bouncer_ || !exchange.address) return {};
  if (const auto wait = bouncer_->wait(*exchange.address, world_.clock.steady()))
    return Refused{429, {}, *wait};
  return {};
}

void IdentityAccess::reject(Exchange& exchange, Presented presented, std::string_view cause) const {
  exchange.presented = presented;
  world_.log.info("Credentials are not good",
                  {{"cause", cause}, {"authority", exchange.authority}, {"ray", exchange.ray}});
}

Verdict IdentityAccess::unavailable(const Error& error) const {
  world_.log.error("Identities cannot be looked up", {{"reason", error.message}});
  return refused_by(error);
}

Task<Verdict> IdentityAccess::by_password(Exchange& exchange, std::string base64) {
  auto user = UserPassword::read(base64);
  if (!user) {
    reject(exchange, Presented::unreadable, "Basic without a username and a password");
    co_return Verdict{};
  }
  auto owner = co_await world_.registry.owner(exchange.authority, user->username);
  if (!owner) co_return unavailable(owner.error());
  const auto hash = *owner ? (*owner)->password : std::string();
  const auto matches = co_await world_.passwords.matches(user->password, hash);
  if (!matches) co_return unavailable(matches.error());
  if (!*owner) {
    exchange.misfit = world_.settings.rules.fault_of(user->username, user->password);
    reject(exchange, Presented::unclaimed, "a username that nobody has");
  } else if (!*matches) {
    reject(exchange, Presented::refused, "a wrong password");
  } else if ((*owner)->banned) {
    reject(exchange, Presented::refused, "a banned identity");
  } else {
    admit(exchange, caller_of(**owner));
  }
  co_return Verdict{};
}

// G189: whom a token speaks of is looked up again before it is replaced.
Task<Verdict> IdentityAccess::by_stale_token(Exchange& exchange, Opened token) {
  const auto account = co_await world_.registry.account(token->identity);
  if (!account) co_return unavailable(account.error());
  if (account->is_strange(exchange.authority)) {
    reject(exchange, Presented::refused, "an identity of another authority");
  } else if (account->banned) {
    reject(exchange, Presented::refused, "a banned identity");
  } else if (token->issued < account->revised) {
    reject(exchange, Presented::refused, "a token from before the password was changed");
  } else {
    auto caller = caller_of(*token);
    caller.roles = account->roles();
    caller.transient = token->transient && account->username.empty();
    caller.token_due = true;
    admit(exchange, std::move(caller));
  }
  co_return Verdict{};
}

Task<Verdict> IdentityAccess::by_custom_token(Exchange& exchange, Opened token) {
  const auto account = co_await remembered(token->identity);
  if (!account) co_return unavailable(account.error());
  const auto* known = (*account)->token(token->custom);
  if ((*account)->is_strange(exchange.authority)) {
    reject(exchange, Presented::refused, "an identity of another authority");
  } else if ((*account)->banned) {
    reject(exchange, Presented::refused, "a banned identity");
  } else if (known == nullptr || !known->is_good(world_.clock.now())) {
    reject(exchange, Presented::refused, "a custom token that is revoked");
  } else {
    admit(exchange, caller_of(*token));
  }
  co_return Verdict{};
}

Task<Result<std::shared_ptr<const Account>>> IdentityAccess::remembered(
    const std::string& identity) {
  const auto now = world_.clock.now();
  if (const auto* known = known_.find(identity); known != nullptr && now < known->until)
    co_return known->account;
  auto found = co_await world_.registry.account(identity);
  if (!found) co_return std::unexpected(std::move(found.error()));
  auto account = std::make_shared<const Account>(std::move(*found));
  known_.put(identity, {account, now + world_.settings.cache_ttl.count()});
  co_return account;
}

Task<Verdict> IdentityAccess::conclude(Exchange& exchange) {
  co_return co_await incept(exchange, exchange.incepted);
}

Task<Verdict> IdentityAccess::incept(Exchange& exchange, std::string id) {
  if (exchange.presented == Presented::nothing)
    co_return co_await incept_transient(exchange, std::move(id));
  auto user = user_of(exchange);
  if (!user) co_return Refused{401};
  auto hash = co_await world_.passwords.hash(user->password);
  if (!hash) co_return unavailable(hash.error());
  Account account{.id = std::move(id),
                  .authority = exchange.authority,
                  .username = user->username,
                  .password = std::move(*hash)};
  const auto& principal = world_.settings.principal;
  if (principal && principal->authority == account.authority &&
      principal->username == account.username)
    account.grants.push_back({"system", ""});
  const auto created = co_await world_.registry.create(account);
  if (!created && created.error().kind == ErrorKind::conflict)
    co_return co_await judge_claimed(exchange, std::move(*user));
  if (!created) co_return unavailable(created.error());
  admit(exchange, caller_of(account));
  exchange.response.status = 201;
  co_return Verdict{};
}

// An operation whose output names whom the client says must not make the client that one.
Task<Verdict> IdentityAccess::incept_transient(Exchange& exchange, std::string id) {
  const auto known = co_await world_.registry.account(id);
  if (!known) co_return unavailable(known.error());
  if (known->version > 0) co_return Refused{409};
  exchange.caller = Caller{.id = std::move(id), .transient = true, .token_due = true};
  exchange.response.status = 201;
  co_return Verdict{};
}

// Another request was faster: what it would have been told had it come later (G177).
Task<Verdict> IdentityAccess::judge_claimed(Exchange& exchange, UserPassword user) {
  const auto owner = co_await world_.registry.owner(exchange.authority, user.username);
  if (!owner) co_return unavailable(owner.error());
  if (!*owner) co_return Refused{409};
  const auto matches = co_await world_.passwords.matches(user.password, (*owner)->password);
  if (!matches) co_return unavailable(matches.error());
  co_return Refused{*matches ? 403 : 401};
}

void IdentityAccess::settle(Exchange& exchange) {
  const auto status = exchange.response.status;
  if (status == 401 && exchange.credentials && bouncer_ && exchange.address)
    bouncer_->charge(*exchange.address, world_.clock.steady());
  if (!exchange.caller || !exchange.caller->token_due || !carries_token(status)) return;
  const auto& caller = *exchange.caller;
  const auto token = world_.tokens.issue({.authority = exchange.authority,
                                          .application = {},
                                          .identity = caller.id,
                                          .roles = caller.roles,
                                          .transient = caller.transient});
  exchange.response.add("authorization", fmt::format("{} {}", token_scheme, token));
  exchange.cache_control = "no-store";
}

}  // namespace toa::gateway
