#include "gateway/access/service/basic_resource.hpp"

#include "gateway/access/service/passwords_desk.hpp"
#include "gateway/access/service/resource.hpp"

namespace toa::gateway {
namespace {

constexpr const char* manages = "system:identity:basic";

const JsonObject& text() {
  static const JsonObject schema{{"type", "string"}};
  return schema;
}

Admissions with_basic(Admissions who) {
  who.scheme = "Basic";
  return who;
}

Json credentials_of(const Account& account) {
  const auto basic = account.username.empty() ? Json() : JsonObject{{"username", account.username}};
  return JsonObject{{"basic", basic}, {"federation", JsonArray{}}, {"passkeys", JsonArray{}}};
}

UserPassword user_in(const Exchange& exchange) {
  return {text_of(exchange, "username").value_or(""), text_of(exchange, "password").value_or("")};
}

}  // namespace

void add_basic_resources(Tree& tree, IdentityWorld world, IdentityAccess& access) {
  const PasswordsDesk desk(world, access);
  const auto both =
      object_schema({{"username", text()}, {"password", text()}}, {"username", "password"});
  const auto either = object_schema({{"username", text()}, {"password", text()}}, {});

  OwnResource("/identity/basic")
      .add(Verb::post, nobody_known(), both,
           [desk, world](Exchange& exchange) -> Task<Verdict> {
             const auto id = world.registry.new_id();
             if (auto refused = co_await desk.create(exchange.authority, id, user_in(exchange)))
               co_return refused;
             co_return answer(exchange, 201, JsonObject{{"id", id}});
           })
      .add_to(tree);

  OwnResource("/identity/basic/usernames/:username")
      .add(Verb::get, nobody_known(), std::nullopt,
           [world](Exchange& exchange) -> Task<Verdict> {
             const auto username = read_base64url(variable_of(exchange, "username"));
             if (!username) co_return Refused{400, "the username must be base64url"};
             const auto owner = co_await world.registry.owner(exchange.authority, *username);
             if (!owner) co_return refused_by(owner.error());
             if (!*owner) co_return Refused{404};
             co_return answer_nothing(exchange);
           })
      .add_to(tree);

  // What its owner signs in with is no business of a custom token (G192).
  OwnResource("/identity/basic/:identity")
      .add(Verb::post, self_or({manages}), both,
           [desk](Exchange& exchange) -> Task<Verdict> {
             if (exchange.caller->custom) co_return Refused{403};
             const auto id = identity_in(exchange);
             if (auto refused = co_await desk.add(exchange.authority, id, user_in(exchange)))
               co_return refused;
             co_return answer(exchange, 201, JsonObject{{"id", id}});
           })
      .add(Verb::patch, with_basic(self_or({manages})), either,
           [desk](Exchange& exchange) -> Task<Verdict> {
             const auto id = identity_in(exchange);
             if (auto refused =
                     co_await desk.change(exchange.authority, id, text_of(exchange, "username"),
                                          text_of(exchange, "password")))
               co_return refused;
             co_return answer(exchange, 200, JsonObject{{"id", id}});
           })
      .add(Verb::delete_, self_or({manages}), std::nullopt,
           [desk](Exchange& exchange) -> Task<Verdict> {
             if (exchange.caller->custom) co_return Refused{403};
             if (auto refused = co_await desk.remove(exchange.authority, identity_in(exchange)))
               co_return refused;
             co_return answer_nothing(exchange);
           })
      .add_to(tree);

  OwnResource("/identity/credentials/:identity")
      .add(Verb::get, self(), std::nullopt,
           [world](Exchange& exchange) -> Task<Verdict> {
             const auto account = co_await world.registry.account(identity_in(exchange));
             if (!account) co_return refused_by(account.error());
             co_return answer(exchange, 200, credentials_of(*account));
           })
      .add_to(tree);
}

}  // namespace toa::gateway
