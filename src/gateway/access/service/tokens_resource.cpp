#include "gateway/access/service/tokens_resource.hpp"

#include <algorithm>
#include <ranges>

#include "base/limits.hpp"
#include "gateway/access/roles.hpp"
#include "gateway/access/service/account_desk.hpp"
#include "gateway/access/service/resource.hpp"

namespace toa::gateway {
namespace {

constexpr const char* manages_tokens = "system:identity:tokens";
constexpr const char* manages_keys = "system:identity:keys";

Json order_schema() {
  const JsonObject text{{"type", "string"}};
  constexpr std::int64_t seconds_max = 10LL * 366 * 86'400;
  return object_schema(
      {{"label", JsonObject{{"type", "string"}, {"minLength", 1}, {"maxLength", 64}}},
       {"lifetime", JsonObject{{"type", "integer"}, {"minimum", 0}, {"maximum", seconds_max}}},
       {"scopes", JsonObject{{"type", "array"}, {"items", text}}},
       {"permissions", JsonObject{{"type", "object"}}}},
      {"label"});
}

/// What is asked for.
struct Order {
  std::string label;
  std::optional<EpochMs> expires;
  std::optional<std::vector<std::string>> scopes;
  std::shared_ptr<const Permissions> permissions;
};

std::expected<Order, Refused> read_order(const Json& body, EpochMs now,
                                         std::chrono::seconds usual) {
  Order order;
  order.label = body.at("label").as_string();
  const auto* lifetime = json::find(body, "lifetime");
  const auto seconds = lifetime == nullptr ? usual.count() : lifetime->as_int64();
  if (seconds > 0) order.expires = now + seconds * 1'000;
  if (const auto* scopes = json::find(body, "scopes")) {
    order.scopes.emplace();
    for (const auto& scope : scopes->as_array()) order.scopes->emplace_back(scope.as_string());
    if (!std::ranges::all_of(*order.scopes, is_role))
      return std::unexpected(Refused{400, "scopes must be roles"});
  }
  if (const auto* permissions = json::find(body, "permissions")) {
    auto read = Permissions::read(*permissions);
    if (!read) {
      return std::unexpected(
          Refused{400, "permissions must map paths to lists of methods, or to '*'"});
    }
    order.permissions = std::make_shared<const Permissions>(std::move(*read));
  }
  return order;
}

/// Makes room: what is of no use any more, the oldest first.
Verdict add_token(Account& account, CustomToken token, EpochMs now) {
  auto& tokens = account.tokens;
  if (tokens.size() >= limits::custom_tokens_max) {
    const auto useless =
        std::ranges::find_if(tokens, [now](const CustomToken& one) { return !one.is_good(now); });
    if (useless == tokens.end()) return refusal("TOO_MANY_TOKENS");
    tokens.erase(useless);
  }
  tokens.push_back(std::move(token));
  return {};
}

Task<Verdict> make(AccountDesk desk, IdentityWorld world, Exchange& exchange) {
  // Neither its scopes nor its permissions may be widened by another one (G192).
  if (exchange.caller->custom) co_return Refused{403};
  const auto id = identity_in(exchange);
  const auto now = world.clock.now();
  auto order = read_order(exchange.input.value(), now, world.settings.tokens.lifetime);
  if (!order) co_return std::move(order.error());
  Token token{.authority = exchange.authority,
              .application = world.tokens.application(),
              .identity = id,
              .issued = now,
              .expires = order->expires,
              .custom = world.registry.new_id(),
              .permissions = order->permissions};
  std::string sealed;
  const auto change = [&](Account& account) -> Verdict {
    token.roles = order->scopes.value_or(account.roles());
    const auto held = account.roles();
    if (!std::ranges::all_of(token.roles, [&](const auto& role) { return covers(held, role); }))
      return refusal("INACCESSIBLE_SCOPE");
    sealed = world.tokens.seal(token);
    if (sealed.size() > limits::token_bytes_max)
      return Refused{400, "scopes and permissions do not fit into a token"};
    return add_token(account, {token.custom, order->label, now, token.expires, {}}, now);
  };
  if (auto refused = co_await desk.change(exchange.authority, id, change)) co_return refused;
  co_return answer(exchange, 201,
                   JsonObject{{"kid", token.custom},
                              {"exp", token.expires ? Json(*token.expires) : Json()},
                              {"token", sealed}});
}

Json told_of(const CustomToken& token) {
  JsonObject told{{"id", token.id},
                  {"label", token.label},
                  {"expires", token.expires ? Json(*token.expires) : Json()},
                  {"CREATED", token.created}};
  if (token.revoked) told["revokedAt"] = *token.revoked;
  return told;
}

Task<Verdict> list(AccountDesk desk, Exchange& exchange) {
  const auto account = co_await desk.look(exchange.authority, identity_in(exchange));
  if (!account) co_return account.error();
  JsonArray told;
  for (const auto& token : std::views::reverse(account->tokens)) told.push_back(told_of(token));
  co_return answer(exchange, 200, std::move(told));
}

Task<Verdict> revoke(AccountDesk desk, const Clock& clock, Exchange& exchange) {
  const auto kid = variable_of(exchange, "kid");
  const auto change = [&](Account& account) -> Verdict {
    const auto found = std::ranges::find(account.tokens, kid, &CustomToken::id);
    if (found == account.tokens.end()) return Refused{404};
    if (!found->revoked) found->revoked = clock.now();
    return {};
  };
  if (auto refused = co_await desk.change(exchange.authority, identity_in(exchange), change))
    co_return refused;
  co_return answer_nothing(exchange);
}

}  // namespace

void add_tokens_resources(Tree& tree, IdentityWorld world, IdentityAccess& access) {
  const AccountDesk desk(world, access);
  const auto& clock = world.clock;
  OwnResource("/identity/tokens/:identity")
      .add(Verb::post, self_or({manages_tokens}), order_schema(),
           [desk, world](Exchange& exchange) { return make(desk, world, exchange); })
      .add_to(tree);
  OwnResource("/identity/keys/:identity")
      .add(Verb::get, self_or({manages_keys}), std::nullopt,
           [desk](Exchange& exchange) { return list(desk, exchange); })
      .add_to(tree);
  OwnResource("/identity/keys/:identity/:kid")
      .add(Verb::delete_, self_or({manages_keys}), std::nullopt,
           [desk, &clock](Exchange& exchange) { return revoke(desk, clock, exchange); })
      .add_to(tree);
}

}  // namespace toa::gateway
