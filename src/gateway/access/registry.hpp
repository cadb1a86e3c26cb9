#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "async/task.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "base/result.hpp"
#include "gateway/access/account.hpp"
#include "gateway/calls.hpp"

namespace toa::gateway {

/// Identities and their usernames, kept by operations of ordinary components. Loop thread.
///
/// (1) A username belongs to an account if and only if the username's object names the account and
///     the account names the username; either write alone gives nobody anything.
/// (2) A username is taken first, and the account is switched to it in the commit that changes its
///     password too; so there is no moment with a username and another's password.
/// (3) A username is given up by the name of its claim alone, which every taking makes anew:
/// whoever
///     takes it again meanwhile keeps it.
/// (4) A username that is taken for an account which does not name it is free again after
///     `username_claim_max`: a crash between the two writes locks nobody out.
/// A new account is written before its username is taken: what a crash leaves is an account that
/// nobody can be.
class Registry {
 public:
  Registry(Calls& calls, const Clock& clock, Random& random)
      : calls_(calls), clock_(clock), random_(random) {}

  std::string new_id() const;

  /// What is kept of an identity, which may be nothing.
  Task<Result<Account>> account(std::string id);
  /// Who has this username, if anybody.
  Task<Result<std::optional<Account>>> owner(std::string authority, std::string username);

  /// Stores a new account with its username. `conflict` where that is taken, or the account exists.
  Task<Result<void>> create(Account account);
  /// Changes an account as it is now; `change` may be asked again when another change came between.
  /// What it returns instead of nothing ends the change, and is the result's value.
  template <class Refusal>
  using Change = std::function<std::optional<Refusal>(Account&)>;
  template <class Refusal>
  Task<Result<std::optional<Refusal>>> change(std::string id, Change<Refusal> change);
  /// What an account names, and by which claim.
  struct Name {
    std::string authority;
    std::string username;
    std::string account;
    std::string claim;
  };
  /// Takes a username for an account; `conflict` where another has it. The claim is a new id.
  Task<Result<void>> take(Name name);
  /// Gives a username up that the account does not name any more. Nothing is lost where this fails.
  Task<void> release(Name name);

 private:
  Task<Result<Json>> observe(std::string_view endpoint, std::string id);
  Task<Result<void>> transit(std::string_view endpoint, std::string id, std::int64_t version,
                             JsonObject properties);
  Task<Result<void>> save(const Account& account);
  Task<Result<Json>> call(Call call);

  Calls& calls_;
  const Clock& clock_;
  Random& random_;
};

template <class Refusal>
Task<Result<std::optional<Refusal>>> Registry::change(std::string id, Change<Refusal> change) {
  for (int attempt = 1;; ++attempt) {
    auto known = co_await account(id);
    if (!known) co_return std::unexpected(std::move(known.error()));
    if (auto refusal = change(*known)) co_return std::optional<Refusal>(std::move(refusal));
    auto saved = co_await save(*known);
    if (saved) co_return std::optional<Refusal>{};
    if (saved.error().kind != ErrorKind::conflict || attempt == limits::identity_attempts_max)
      co_return std::unexpected(std::move(saved.error()));
  }
}

}  // namespace toa::gateway
