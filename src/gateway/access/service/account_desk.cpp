#include "gateway/access/service/account_desk.hpp"

namespace toa::gateway {
namespace {

/// What is wrong with speaking of this account.
Verdict judge(const Account& account, std::string_view authority) {
  if (!is_identity_id(account.id)) return Refused{400, "an identity is 32 hex digits"};
  if (account.is_strange(authority)) return Refused{404};
  return {};
}

}  // namespace

Refused refusal(std::string_view code) {
  return {422, {}, {}, std::string(code)};
}

Task<std::expected<Account, Refused>> AccountDesk::look(std::string authority,
                                                        std::string id) const {
  if (auto refused = judge({.id = id}, authority)) co_return std::unexpected(std::move(*refused));
  auto account = co_await world_.registry.account(std::move(id));
  if (!account) co_return std::unexpected(refused_by(account.error()));
  if (auto refused = judge(*account, authority)) co_return std::unexpected(std::move(*refused));
  co_return std::move(*account);
}

Task<Verdict> AccountDesk::change(std::string authority, std::string id,
                                  std::function<Verdict(Account&)> change) const {
  if (auto refused = judge({.id = id}, authority)) co_return refused;
  const std::function<Verdict(Account&)> judged = [&](Account& account) -> Verdict {
    if (auto refused = judge(account, authority)) return refused;
    account.authority = authority;
    return change(account);
  };
  auto stored = co_await world_.registry.change<Refused>(id, judged);
  access_.forget(id);
  if (!stored) co_return refused_by(stored.error());
  co_return std::move(*stored);
}

}  // namespace toa::gateway
