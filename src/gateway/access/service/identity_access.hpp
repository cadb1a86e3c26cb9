#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "gateway/access.hpp"
#include "gateway/access/credentials.hpp"
#include "gateway/access/fresh_cache.hpp"
#include "gateway/access/identity_settings.hpp"
#include "gateway/access/passwords.hpp"
#include "gateway/access/registry.hpp"
#include "gateway/access/tokens.hpp"
#include "gateway/directives/buckets.hpp"
#include "gateway/settings.hpp"
#include "telemetry/log.hpp"

namespace toa::gateway {

/// What identities are looked up and shown with. All of it outlives whoever is given it.
struct IdentityWorld {
  Registry& registry;
  Tokens& tokens;
  Passwords& passwords;
  const IdentitySettings& settings;
  const Clock& clock;
  telemetry::Log& log;
};

/// Finds out who asks, by `Basic`, `Token` and `Bearer` (G169–G173), and makes identities. Loop
/// thread.
class IdentityAccess final : public Access {
 public:
  IdentityAccess(IdentityWorld world, std::optional<Bouncer> bouncer);

  Task<Verdict> authenticate(Exchange& exchange) override;
  bool concludes(const Exchange& exchange) const override { return !exchange.incepted.empty(); }
  Task<Verdict> conclude(Exchange& exchange) override;
  void settle(Exchange& exchange) override;

  /// Makes the identity that the credentials of the request are for, or a transient one where it
  /// has none; the request was admitted as one that does (G176, G202).
  Task<Verdict> incept(Exchange& exchange, std::string id);

  /// Custom tokens of this identity are not good any more, or others are.
  void forget(const std::string& identity) { known_.erase(identity); }

 private:
  using Opened = std::shared_ptr<const Token>;

  Verdict bounce(const Exchange& exchange);
  void reject(Exchange& exchange, Presented presented, std::string_view cause) const;
  Task<Verdict> by_password(Exchange& exchange, std::string base64);
  Task<Verdict> by_stale_token(Exchange& exchange, Opened token);
  Task<Verdict> by_custom_token(Exchange& exchange, Opened token);
  Task<Result<std::shared_ptr<const Account>>> remembered(const std::string& identity);
  Task<Verdict> incept_transient(Exchange& exchange, std::string id);
  Task<Verdict> judge_claimed(Exchange& exchange, UserPassword user);
  Verdict unavailable(const Error& error) const;

  struct Known {
    std::shared_ptr<const Account> account;
    EpochMs until = 0;
  };

  IdentityWorld world_;
  std::optional<Buckets> bouncer_;
  FreshCache<Known> known_;
};

/// What a client is told where identities cannot be looked up; the log knows why.
Refused refused_by(const Error& error);

}  // namespace toa::gateway
