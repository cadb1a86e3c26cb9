#include "gateway/access/service/passwords_desk.hpp"

namespace toa::gateway {

bool PasswordsDesk::is_principal(std::string_view authority, std::string_view username) const {
  const auto& principal = world_.settings.principal;
  return principal && principal->authority == authority && principal->username == username;
}

Verdict PasswordsDesk::judge(const std::optional<std::string>& username,
                             const std::optional<std::string>& password) const {
  const auto& rules = world_.settings.rules;
  std::string_view fault;
  if (username) fault = rules.fault_of_username(*username);
  if (password && fault.empty()) fault = rules.fault_of_password(*password);
  return fault.empty() ? Verdict{} : refusal(fault);
}

Task<Verdict> PasswordsDesk::create(std::string authority, std::string id,
                                    UserPassword user) const {
  if (auto refused = judge(user.username, user.password)) co_return refused;
  const auto owner = co_await world_.registry.owner(authority, user.username);
  if (!owner) co_return refused_by(owner.error());
  if (*owner) co_return Refused{409};
  auto hash = co_await world_.passwords.hash(user.password);
  if (!hash) co_return refused_by(hash.error());
  Account account{.id = std::move(id),
                  .authority = authority,
                  .username = user.username,
                  .password = std::move(*hash)};
  if (is_principal(authority, user.username)) account.grants.push_back({"system", ""});
  const auto created = co_await world_.registry.create(std::move(account));
  if (!created) co_return refused_by(created.error());
  co_return Verdict{};
}

Task<Verdict> PasswordsDesk::add(std::string authority, std::string id, UserPassword user) const {
  if (auto refused = judge(user.username, user.password)) co_return refused;
  const auto account = co_await accounts_.look(authority, id);
  if (!account) co_return account.error();
  if (!account->username.empty()) co_return refusal("EXISTS");
  auto hash = co_await world_.passwords.hash(user.password);
  if (!hash) co_return refused_by(hash.error());
  const auto claim = world_.registry.new_id();
  const auto taken = co_await world_.registry.take({authority, user.username, id, claim});
  if (!taken) co_return refused_by(taken.error());
  const auto give = [&](Account& changed) -> Verdict {
    if (!changed.username.empty()) return refusal("EXISTS");
    changed.username = user.username;
    changed.claim = claim;
    changed.password = *hash;
    return {};
  };
  co_return co_await accounts_.change(authority, id, give);
}

Task<Verdict> PasswordsDesk::change(std::string authority, std::string id,
                                    std::optional<std::string> username,
                                    std::optional<std::string> password) const {
  if (auto refused = judge(username, password)) co_return refused;
  const auto account = co_await accounts_.look(authority, id);
  if (!account) co_return account.error();
  if (account->username.empty()) co_return Refused{404};
  const bool renames = username && *username != account->username;
  if (renames && is_principal(authority, account->username)) co_return refusal("PRINCIPAL_LOCKED");
  Result<std::string> hash;
  if (password) hash = co_await world_.passwords.hash(*password);
  if (!hash) co_return refused_by(hash.error());
  const auto claim = world_.registry.new_id();
  if (renames) {
    const auto taken = co_await world_.registry.take({authority, *username, id, claim});
    if (!taken) co_return refused_by(taken.error());
  }
  Registry::Name former;
  const auto revise = [&](Account& changed) -> Verdict {
    if (changed.username.empty()) return Refused{404};
    former = {authority, changed.username, id, changed.claim};
    if (renames) {
      changed.username = *username;
      changed.claim = claim;
    }
    if (password) changed.password = *hash;
    changed.revised = world_.clock.now();
    changed.revoke_tokens(changed.revised);
    return {};
  };
  if (auto refused = co_await accounts_.change(authority, id, revise)) co_return refused;
  if (renames && former.username != *username) co_await world_.registry.release(former);
  co_return Verdict{};
}

Task<Verdict> PasswordsDesk::remove(std::string authority, std::string id) const {
  Registry::Name former;
  const auto clear = [&](Account& changed) -> Verdict {
    if (changed.username.empty()) return Refused{404};
    // Whoever took the name next would be the principal.
    if (is_principal(authority, changed.username)) return refusal("PRINCIPAL_LOCKED");
    former = {authority, changed.username, id, changed.claim};
    changed.username.clear();
    changed.claim.clear();
    changed.password.clear();
    return {};
  };
  if (auto refused = co_await accounts_.change(authority, id, clear)) co_return refused;
  co_await world_.registry.release(former);
  co_return Verdict{};
}

}  // namespace toa::gateway
