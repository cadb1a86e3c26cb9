#include "gateway/access/service/self_resource.hpp"

#include "gateway/access/service/resource.hpp"

namespace toa::gateway {
namespace {

Admissions everybody() {
  Admissions who;
  who.alternatives.push_back(everybody_condition());
  return who;
}

Admissions nobody_yet() {
  Admissions who;
  // Its id is made here, not by an operation.
  who.alternatives.push_back(incept_condition(""));
  return who;
}

Json told_of(const Caller& caller) {
  return JsonObject{{"id", caller.id}, {"roles", boost::json::value_from(caller.roles)}};
}

}  // namespace

void add_self_resource(Tree& tree, IdentityWorld world, IdentityAccess& access) {
  const auto make = [world, &access](Exchange& exchange) -> Task<Verdict> {
    if (auto refused = co_await access.incept(exchange, world.registry.new_id())) co_return refused;
    co_return answer(exchange, 201, told_of(*exchange.caller));
  };
  const auto tell = [make](Exchange& exchange) -> Task<Verdict> {
    if (exchange.caller) co_return answer(exchange, 200, told_of(*exchange.caller));
    if (exchange.credentials) co_return Refused{401};
    co_return co_await make(exchange);
  };
  OwnResource("/identity")
      .add(Verb::get, everybody(), std::nullopt, tell)
      .add(Verb::post, nobody_yet(), std::nullopt, make)
      .add_to(tree);
}

}  // namespace toa::gateway
